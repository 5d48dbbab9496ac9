/**
 * What is behind the gateway. An application that embeds it uses {@link
 * io.fairlead.gateway.backend.LocalBackend}, {@link io.fairlead.gateway.backend.ToolHandler},
 * {@link io.fairlead.gateway.backend.ToolCall}, {@link io.fairlead.gateway.backend.ToolResult},
 * {@link io.fairlead.gateway.backend.ToolFailure}, {@link
 * io.fairlead.gateway.backend.ResourceHandler}, {@link io.fairlead.gateway.backend.PromptHandler}
 * and {@link io.fairlead.gateway.backend.CompletionHandler}.
 */
package io.fairlead.gateway.backend;
