import type { Visit } from './client.js';

/** `refused`: too many streams are open; it is tried again later. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'refused';

interface StreamListener {
  onVisit: (visit: Visit) => void;
  /** So many visits that fit were left out, because there are more a second than are shown. */
  onSkipped?: (visits: number) => void;
  /** So many visits did not fit the filters. */
  onFiltered?: (visits: number) => void;
  onState?: (state: StreamState) => void;
  /** Everything up to here was told of. */
  onPosition?: (position: string) => void;
}

interface StreamOptions {
  /** Of the timeline. */
  filters?: Record<string, readonly string[]>;
  /** Begins behind this position, rather than with what comes next. */
  after?: string;
}

/** Most rows a second that the page takes. */
export const MAX_PER_SECOND = 20;
const RETRY_MS = 2_000;
/** After which a page that nobody sees gives its connection back: a browser has six for all pages of a site. */
const HIDDEN_MS = 10_000;

/**
 * Follows a project's visits. The browser resumes a lost connection by itself; where it gives up, because something
 * else answered, and where the page was hidden for a while, it is begun again after the last position.
 *
 * @returns ends it.
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
    // Meanwhile the page may have been hidden, shown again, or left.
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

/** @returns milliseconds until too many streams no longer are; null when it is something else that went wrong. */
async function refusedForMs(url: string): Promise<number | null> {
  const abort = new AbortController();
  try {
    // An EventSource does not tell the status of an answer.
    const { status, headers } = await fetch(url, { signal: abort.signal });
    return status === 429 ? Number(headers.get('retry-after') ?? 30) * 1_000 : null;
  } catch {
    return null;
  } finally {
    abort.abort();
  }
}
