package org.beefs.honeybee.fuse.operations;

import org.beefs.common.rpc.Payload;
import org.beefs.honeybee.fuse.exchange.Answer;
import org.beefs.honeybee.fuse.protocol.Reply;

/** Hands content to the kernel, and closes it exactly once. Stateless and thread-safe. */
final class ReadAnswer implements Answer<Payload.Bytes> {
    @Override
    public boolean send(Reply reply, Payload.Bytes content) {
        boolean delivered = reply.buffer(content.buffer());
        if (delivered) {
            content.close();
        }
        return delivered;
    }

    @Override
    public void undelivered(Payload.Bytes content) {
        content.close();
    }

    @Override
    public boolean isCancellable() {
        return false;
    }
}
