import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface HttpRelay {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a server that forwards requests to a target and returns the target's responses.
 *
 * @param onRequest Called for each request. It must call `forward`. The client gets the response once `onRequest` resolves.
 */
export async function startHttpRelay(
  target: string,
  onRequest: (request: IncomingMessage, forward: () => Promise<void>) => Promise<void>,
): Promise<HttpRelay> {
  const relay = createServer((request, response) => {
    (async () => {
      const body = await buffer(request);
      let targetResponse: Response | undefined;
      await onRequest(request, async () => {
        const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
        const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
        targetResponse = await fetch(target + request.url!, {
          method: request.method!,
          headers: headers as Record<string, string>,
          ...(hasBody && { body }),
        });
      });
      const bytes = Buffer.from(await targetResponse!.arrayBuffer());
      response
        .writeHead(targetResponse!.status, { 'content-type': targetResponse!.headers.get('content-type') ?? '' })
        .end(bytes);
      // The client may disconnect before it has sent the entire request.
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        relay.close(() => resolve());
        relay.closeAllConnections();
      }),
  };
}
