// The backend that the official conformance suite asks for: `--stdio`, or `--http PORT` (0 takes a free one).
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema
} from '@modelcontextprotocol/sdk/types.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveHttp } from './streamable.mjs';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const text = value => ({ type: 'text', text: value });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const answer = (...content) => ({ content });
const embedded = (uri, mimeType, value) => ({ type: 'resource', resource: { uri, mimeType, text: value } });

const string = description => ({ type: 'string', description });
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const choices = ['option1', 'option2', 'option3'];
const titled = word => ['First', 'Second', 'Third'].map((nth, i) => ({ const: `value${i + 1}`, title: `${nth} ${word}` }));

const JSON_SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } }
    }
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' }
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false
};

const DEFAULTS = object(
  {
    name: { type: 'string', description: 'Name', default: 'John Doe' },
    age: { type: 'integer', description: 'Age', default: 30 },
    score: { type: 'number', description: 'Score', default: 95.5 },
    status: { type: 'string', description: 'Status', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', description: 'Verified', default: true }
  },
  []
);

const ENUMS = object(
  {
    untitledSingle: { type: 'string', enum: choices },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: choices } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } }
  },
  []
);

const log = (extra, data) =>
  extra.sendNotification({ method: 'notifications/message', params: { level: 'info', logger: 'fixture', data } });

const elicit = async (extra, message, requestedSchema) =>
  extra.sendRequest({ method: 'elicitation/create', params: { message, requestedSchema } }, ElicitResultSchema);

const elicited = async (extra, schema) => {
  const { action, content } = await elicit(extra, 'Please fill in the form', schema);
  return answer(text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`));
};

// name: [description, run(arguments, extra), input schema]
const tools = {
  test_simple_text: ['Answers a text', () => answer(text('This is a simple text response for testing.'))],
  test_image_content: ['Answers an image', () => answer(image)],
  test_audio_content: ['Answers a sound', () => answer({ type: 'audio', data: WAV, mimeType: 'audio/wav' })],
  test_embedded_resource: [
    'Answers a resource',
    () => answer(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'))
  ],
  test_multiple_content_types: [
    'Answers a text, an image and a resource',
    () =>
      answer(
        text('Multiple content types test:'),
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')
      )
  ],
  test_tool_with_logging: [
    'Logs three times',
    async (_, extra) => {
      await log(extra, 'Tool execution started');
      await sleep(50);
      await log(extra, 'Tool processing data');
      await sleep(50);
      await log(extra, 'Tool execution completed');
      return answer(text('Tool with logging executed.'));
    }
  ],
  test_tool_with_progress: [
    'Reports progress three times',
    async (_, extra) => {
      const progressToken = extra._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          await extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 }
          });
        }
        await sleep(50);
      }
      return answer(text('Tool with progress executed.'));
    }
  ],
  test_error_handling: [
    'Fails',
    () => ({ ...answer(text('This tool intentionally returns an error for testing')), isError: true })
  ],
  test_sampling: [
    'Asks the model of the client',
    async ({ prompt }, extra) => {
      const params = { messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 };
      const { content } = await extra.sendRequest({ method: 'sampling/createMessage', params }, CreateMessageResultSchema);
      return answer(text(`LLM response: ${content.text ?? JSON.stringify(content)}`));
    },
    object({ prompt: string('The prompt') })
  ],
  test_elicitation: [
    'Asks the user',
    async ({ message }, extra) => {
      const schema = object({ username: string("User's response"), email: string("User's email address") });
      const { action, content } = await elicit(extra, message, schema);
      return answer(text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`));
    },
    object({ message: string('The message') })
  ],
  test_elicitation_sep1034_defaults: ['Asks the user with defaults', (_, extra) => elicited(extra, DEFAULTS)],
  test_elicitation_sep1330_enums: ['Asks the user with choices', (_, extra) => elicited(extra, ENUMS)],
  test_reconnection: [
    'Has its connection closed in the middle; without a transport that can, it takes its time',
    async (_, extra) => {
      await sleep(100);
      extra.closeSSEStream?.();
      await sleep(600);
      return answer(text('Reconnection test completed successfully.'));
    }
  ],
  json_schema_2020_12_tool: ['Tool with JSON Schema 2020-12 features', () => answer(text('ok')), JSON_SCHEMA_2020_12]
};

const resources = {
  'test://static-text': ['text/plain', { text: 'This is the content of the static text resource.' }],
  'test://static-binary': ['image/png', { blob: PNG }],
  'test://watched-resource': ['text/plain', { text: 'Watched resource content.' }]
};

const user = content => ({ role: 'user', content });
// name: [description, messages(arguments), argument names]
const prompts = {
  test_simple_prompt: ['A text', () => [user(text('This is a simple prompt for testing.'))], []],
  test_prompt_with_arguments: [
    'A text with arguments',
    ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    ['arg1', 'arg2']
  ],
  test_prompt_with_embedded_resource: [
    'A resource and a text',
    ({ resourceUri }) => [
      user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      user(text('Please process the embedded resource above.'))
    ],
    ['resourceUri']
  ],
  test_prompt_with_image: ['An image and a text', () => [user(image), user(text('Please analyze the image above.'))], []]
};

function read(uri) {
  const id = uri.match(/^test:\/\/template\/([^/]+)\/data$/)?.[1];
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text: data }] };
  }
  if (!(uri in resources)) {
    throw new McpError(-32002, 'Resource not found', { uri });
  }
  const [mimeType, content] = resources[uri];
  return { contents: [{ uri, mimeType, ...content }] };
}

function known(table, name) {
  if (!(name in table)) {
    throw new McpError(-32602, `Unknown name: ${name}`);
  }
  return table[name];
}

function fixture() {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} };
  const server = new Server({ name: 'conformance-fixture', version: '1.0.0' }, { capabilities });
  const on = (schema, handler) => server.setRequestHandler(schema, async ({ params }, extra) => handler(params, extra));
  on(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, [description, , inputSchema = object({})]]) => ({ name, description, inputSchema }))
  }));
  on(CallToolRequestSchema, ({ name, arguments: args = {} }, extra) => known(tools, name)[1](args, extra));
  on(ListResourcesRequestSchema, () => ({
    resources: Object.entries(resources).map(([uri, [mimeType]]) => ({
      uri,
      name: uri.slice('test://'.length),
      description: `The resource ${uri}`,
      mimeType
    }))
  }));
  on(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'Data by id', mimeType: 'application/json' }
    ]
  }));
  on(ReadResourceRequestSchema, ({ uri }) => read(uri));
  on(SubscribeRequestSchema, () => ({}));
  on(UnsubscribeRequestSchema, () => ({}));
  on(ListPromptsRequestSchema, () => ({
    prompts: Object.entries(prompts).map(([name, [description, , names]]) => ({
      name,
      description,
      arguments: names.map(argument => ({ name: argument, description: `Argument ${argument}`, required: true }))
    }))
  }));
  on(GetPromptRequestSchema, ({ name, arguments: args = {} }) => ({ messages: known(prompts, name)[1](args) }));
  on(CompleteRequestSchema, ({ argument }) => ({
    completion: { values: ['testing', 'tested', 'tester'].filter(value => value.startsWith(argument.value)), hasMore: false }
  }));
  on(SetLevelRequestSchema, () => ({}));
  return server;
}

if (process.argv[2] === '--http') {
  await serveHttp(Number(process.argv[3]), fixture);
} else {
  await fixture().connect(new StdioServerTransport());
}
