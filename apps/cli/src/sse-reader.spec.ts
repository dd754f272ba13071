import { ConnectionError, HttpError } from './cli-error.js';
import { parseEvents, readEvents, type EventSourceOptions, type ServerEvent } from './sse-reader.js';

async function* bytes(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

async function all(source: AsyncIterable<ServerEvent>, limit = Infinity): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of source) if (events.push(event) >= limit) break;
  return events;
}

const STREAM =
  ': hello\r\nid: 1\r\nevent: visit\r\ndata: {"a":"é"}\r\n\r\ndata:x\ndata\n\nevent: none\n\nid:2\rdata: y\r\rdata: z\n';

it('parses events split at any byte', async () => {
  const stream = Buffer.from(STREAM);
  for (let at = 0; at <= stream.length; at += 1) {
    expect(await all(parseEvents(bytes(stream.subarray(0, at), stream.subarray(at))))).toEqual([
      { event: 'visit', data: '{"a":"é"}', id: '1' },
      { event: 'message', data: 'x\n', id: '1' },
      { event: 'message', data: 'y', id: '2' },
    ]);
  }
});

function reader(connections: (AsyncIterable<Uint8Array> | Error)[], extra: Partial<EventSourceOptions> = {}) {
  const lastEventIds: (string | undefined)[] = [];
  const states: string[] = [];
  const open = async (lastEventId: string | undefined): Promise<AsyncIterable<Uint8Array>> => {
    lastEventIds.push(lastEventId);
    const next = connections.shift();
    if (next === undefined) throw new HttpError(404, {}, 'no more');
    if (next instanceof Error) throw next;
    return next;
  };
  const events = readEvents({
    open,
    signal: new AbortController().signal,
    onOpen: ({ again, resumed }) => void states.push(again ? (resumed ? 'resumed' : 'again') : 'open'),
    onLost: () => void states.push('lost'),
    firstDelayMs: 1,
    ...extra,
  });
  return { asked: lastEventIds, told: states, events };
}

it('reconnects and resumes after the last event', async () => {
  const {
    events,
    asked: lastEventIds,
    told: states,
  } = reader([
    bytes('id: 7\ndata: a\n\n'),
    new ConnectionError('down'),
    new HttpError(503, {}, 'starting'),
    bytes('data: b\n\n'),
  ]);
  expect((await all(events, 2)).map(({ data }) => data)).toEqual(['a', 'b']);
  expect(lastEventIds).toEqual([undefined, '7', '7', '7']);
  expect(states).toEqual(['open', 'lost', 'lost', 'lost', 'resumed']);
});

it('fails immediately if the first connection fails or a retry cannot help', async () => {
  await expect(all(reader([new ConnectionError('not running')]).events)).rejects.toThrow('not running');
  await expect(all(reader([bytes(': hi\n'), new HttpError(401, {}, 'revoked')]).events)).rejects.toThrow('revoked');
});

it('reconnects after a failed connection and stops when the signal aborts', async () => {
  const controller = new AbortController();
  const { events, told: states } = reader([], {
    signal: controller.signal,
    open: async () =>
      (async function* () {
        yield Buffer.from(': hi\n');
        throw new ConnectionError('the instance sent no data for 60 s');
      })(),
    onLost: () => {
      states.push('lost');
      if (states.length > 3) controller.abort();
    },
  });
  expect(await all(events)).toEqual([]);
  expect(states).toEqual(['open', 'lost', 'again', 'lost']);
});
