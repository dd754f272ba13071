import { asyncApiDocument, TOPICS } from '#libs/contracts';
import { requireTool } from './kit/tools.js';

interface Collection<T> {
  all(): T[];
}
interface ParserModule {
  Parser: new () => {
    parse(text: string): Promise<{
      diagnostics: { severity: number }[];
      document: {
        allChannels(): Collection<{ address(): string }>;
        allOperations(): Collection<{ id(): string; isReceive(): boolean }>;
      };
    }>;
  };
}

/** Lowest severity that isn't an error or warning. */
const INFORMATION = 2;

it('publishes a valid AsyncAPI document that covers all topics', async () => {
  const { Parser } = requireTool('@asyncapi/parser') as ParserModule;
  const { diagnostics, document } = await new Parser().parse(JSON.stringify(asyncApiDocument()));
  expect(diagnostics.filter(({ severity }) => severity < INFORMATION)).toEqual([]);
  const addresses = document
    .allChannels()
    .all()
    .map((channel) => channel.address());
  expect(addresses).toEqual(Object.values(TOPICS));
  const receivers = document
    .allOperations()
    .all()
    .filter((operation) => operation.isReceive());
  expect(receivers.map((operation) => operation.id())).toContain('consumer.visitsEnriched.receive');
});
