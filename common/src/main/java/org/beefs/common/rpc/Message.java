package org.beefs.common.rpc;

/** A decoded message with the raw content behind it, which its receiver owns. */
public record Message<M>(M body, Payload payload) {}
