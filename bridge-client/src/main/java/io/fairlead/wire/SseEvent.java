package io.fairlead.wire;

/**
 * One event of an event stream.
 *
 * @param lastEventId the last event id after this event, empty if there is none
 * @param type the event type, {@code message} if none was given
 * @param data the data, lines joined by LF, without the last LF; empty for a priming event
 */
public record SseEvent(String lastEventId, String type, byte[] data) {}
