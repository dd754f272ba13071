import type { Visit } from './client.js';

/** `refused`: too many streams are open. The stream is retried later. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'refused';

interface StreamListener {
  onVisit: (visit: Visit) => void;
  /** Called with the number of matching visits omitted because of `MAX_PER_SECOND`. */
  onSkipped?: (visits: number) => void;
  /** Called with the number of visits that didn't match the filters. */
  onFiltered?: (visits: number) => void;
  onState?: (state: StreamState) => void;
  /** Called after every event with the position to resume from. */
  onPosition?: (position: string) => void;
}

interface StreamOptions {
  filters?: Record<string, readonly string[]>;
  /** Position to resume after. Default: only new visits are streamed. */
  after?: string;
}

/** Maximum number of visits per second that the server sends. */
export const MAX_PER_SECOND = 20;
const RETRY_MS = 2_000;
/** Time until a hidden page closes its connection. Over HTTP/1.1, all tabs of a site share six connections. */
const HIDDEN_MS = 10_000;

/**
 * Streams a project's visits.
 *
 * The browser reconnects on its own after a lost connection. If it gives up because a response isn't an event stream,
 * the stream is reopened after the last position. The stream is also closed while the page is hidden for a while, and
 * reopened when the page is shown again.
 *
 * @returns A function that stops the stream.
 */
export function followVisits(
  projectId: string,
  { onVisit, onSkipped, onFiltered, onState, onPosition }: StreamListener,
  { filters = {}, after = '' }: StreamOptions = {},
): () => void {
  let source: EventSource;
  let isEnded = false;
  let position = after;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;

  const open = (): void => {
    const query = new URLSearchParams({ max_per_second: String(MAX_PER_SECOND) });
    for (const [name, values] of Object.entries(filters)) for (const value of values) query.append(name, value);
    if (position !== '') query.set('last_event_id', position);
    const url = `/api/projects/${projectId}/visits/stream?${query}`;
    source = new EventSource(url);
    const on = (event: string, listener: (data: unknown) => void): void =>
      source.addEventListener(event, ({ data, lastEventId }: MessageEvent<string>) => {
        listener(JSON.parse(data));
        position = lastEventId;
        onPosition?.(position);
      });
    const visitsOf = (data: unknown): number => (data as { visits: number }).visits;
    source.addEventListener('open', () => onState?.('live'));
    on('opened', () => undefined);
    on('visit', (data) => onVisit(data as Visit));
    on('skipped', (data) => onSkipped?.(visitsOf(data)));
    on('filtered', (data) => onFiltered?.(visitsOf(data)));
    source.addEventListener('error', () => {
      onState?.('lost');
      if (source.readyState === EventSource.CLOSED) void openLater(url);
    });
  };
  const openLater = async (url: string): Promise<void> => {
    const closed = source;
    const milliseconds = await refusedForMs(url);
    // The page may have been hidden, shown again or left during the request.
    if (isEnded || source !== closed || document.hidden) return;
    if (milliseconds !== null) onState?.('refused');
    timer = setTimeout(open, milliseconds ?? RETRY_MS);
  };
  const pause = (): void => {
    clearTimeout(timer);
    source.close();
    onState?.('lost');
  };
  const onVisibilityChange = (): void => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(pause, HIDDEN_MS);
    else if (source.readyState === EventSource.CLOSED) {
      clearTimeout(timer);
      open();
    }
  };
  document.addEventListener('visibilitychange', onVisibilityChange);
  onState?.('connecting');
  open();
  return () => {
    isEnded = true;
    document.removeEventListener('visibilitychange', onVisibilityChange);
    clearTimeout(timer);
    clearTimeout(hiding);
    source.close();
  };
}

/** @returns Milliseconds to wait if too many streams are open; null on any other error. */
async function refusedForMs(url: string): Promise<number | null> {
  const abort = new AbortController();
  try {
    // EventSource doesn't expose the status code.
    const { status, headers } = await fetch(url, { signal: abort.signal });
    return status === 429 ? Number(headers.get('retry-after') ?? 30) * 1_000 : null;
  } catch {
    return null;
  } finally {
    abort.abort();
  }
}
