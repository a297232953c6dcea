package org.beefs.honeybee.data;

import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;

/** Puts together what was read in parts of {@link Frame#MAX_PAYLOAD}. */
final class Parts {
    private Parts() {}

    /** The parts as one, up to the first that is short: there was the end of the file. Fails when a part fails. */
    static CompletableFuture<Payload> join(List<CompletableFuture<Payload>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).handle((all, failure) -> {
            if (failure != null) {
                parts.forEach(part -> part.thenAccept(Payload::close));
                throw new CompletionException(failure);
            }
            return concatenate(parts.stream().map(CompletableFuture::resultNow).toList());
        });
    }

    private static Payload concatenate(List<Payload> parts) {
        CompositeByteBuf whole = Unpooled.compositeBuffer(parts.size());
        boolean ended = false;
        for (Payload part : parts) {
            if (!ended && part instanceof Payload.Bytes(var buffer)) {
                ended = part.length() < Frame.MAX_PAYLOAD;
                whole.addComponent(true, buffer);
            } else {
                part.close();
            }
        }
        return new Payload.Bytes(whole);
    }
}
