import type { Visit } from './client.js';

/** State of a live stream. `refused` means that too many streams are open and the page will retry later. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'refused';

interface StreamListener {
  onVisit: (visit: Visit) => void;
  /** Called with the number of matching visits dropped by the rate limit. */
  onSkipped?: (visits: number) => void;
  /** Called with the number of visits that didn't match the filters. */
  onFiltered?: (visits: number) => void;
  onState?: (state: StreamState) => void;
  /** Called after each event with the position to resume from. */
  onPosition?: (position: string) => void;
}

interface StreamOptions {
  filters?: Record<string, readonly string[]>;
  /** Position to resume after. By default, only new visits are streamed. */
  after?: string;
}

/** Maximum number of visits the server sends per second. */
export const MAX_VISITS_PER_SECOND = 20;
const RETRY_DELAY_MS = 2_000;
/**
 * Delay before a page that is hidden closes its stream. Over HTTP/1.1, all tabs of a site share six connections, which
 * hidden pages could use up.
 */
const HIDDEN_CLOSE_DELAY_MS = 10_000;

/**
 * Streams a project's visits.
 *
 * The browser reconnects after a lost connection. If it gives up because a response isn't an event stream, this
 * function reopens the stream at the last position. A page that stays hidden closes its stream and reopens it once
 * visible.
 *
 * @returns A function that stops the stream.
 */
export function streamVisits(
  projectId: string,
  { onVisit, onSkipped, onFiltered, onState, onPosition }: StreamListener,
  { filters = {}, after = '' }: StreamOptions = {},
): () => void {
  let source: EventSource;
  let isStopped = false;
  let position = after;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let hideTimer: ReturnType<typeof setTimeout> | undefined;

  const open = (): void => {
    const query = new URLSearchParams({ max_per_second: String(MAX_VISITS_PER_SECOND) });
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
    const toVisitCount = (data: unknown): number => (data as { visits: number }).visits;
    source.addEventListener('open', () => onState?.('live'));
    on('opened', () => undefined);
    on('visit', (data) => onVisit(data as Visit));
    on('skipped', (data) => onSkipped?.(toVisitCount(data)));
    on('filtered', (data) => onFiltered?.(toVisitCount(data)));
    source.addEventListener('error', () => {
      onState?.('lost');
      if (source.readyState === EventSource.CLOSED) void reopenLater(url);
    });
  };
  const reopenLater = async (url: string): Promise<void> => {
    const closedSource = source;
    const retryDelayMs = await getRetryDelayMs(url);
    // Don't reopen the stream if the page was closed or hidden during the request, or has already opened another
    // stream.
    if (isStopped || source !== closedSource || document.hidden) return;
    if (retryDelayMs !== null) onState?.('refused');
    retryTimer = setTimeout(open, retryDelayMs ?? RETRY_DELAY_MS);
  };
  const pause = (): void => {
    clearTimeout(retryTimer);
    source.close();
    onState?.('lost');
  };
  const onVisibilityChange = (): void => {
    clearTimeout(hideTimer);
    if (document.hidden) hideTimer = setTimeout(pause, HIDDEN_CLOSE_DELAY_MS);
    else if (source.readyState === EventSource.CLOSED) {
      clearTimeout(retryTimer);
      open();
    }
  };
  document.addEventListener('visibilitychange', onVisibilityChange);
  onState?.('connecting');
  open();
  return () => {
    isStopped = true;
    document.removeEventListener('visibilitychange', onVisibilityChange);
    clearTimeout(retryTimer);
    clearTimeout(hideTimer);
    source.close();
  };
}

/** Returns the delay in milliseconds if too many streams are open, or null after any other error. */
async function getRetryDelayMs(url: string): Promise<number | null> {
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
