package io.fairlead.gateway.backend;

import io.fairlead.gateway.auth.Principal;

/**
 * For whom a link is opened.
 *
 * @param initializeParams the JSON object to send as params of {@code initialize}
 * @param principal who asks for it
 * @param listener receives what does not belong to a call
 */
public record LinkRequest(byte[] initializeParams, Principal principal, LinkListener listener) {}
