import type { Visit } from './client.js';

export type StreamState = 'connecting' | 'live' | 'lost';

export interface StreamListener {
  onVisit: (visit: Visit) => void;
  /** So many visits were left out, because there are more a second than are shown. */
  onSkipped?: (visits: number) => void;
  onState?: (state: StreamState) => void;
}

/** Most rows a second that the page takes. */
export const MOST_PER_SECOND = 20;
const RETRY_MS = 2_000;

/**
 * Follows a project's visits. The browser resumes a lost connection by itself; where it gives up, because something
 * else answered, it is begun again after the last visit that came.
 *
 * @returns ends it.
 */
export function followVisits(projectId: string, { onVisit, onSkipped, onState }: StreamListener): () => void {
  let source: EventSource;
  let lastId = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const open = (): void => {
    const query = new URLSearchParams({
      max_per_second: String(MOST_PER_SECOND),
      ...(lastId && { last_event_id: lastId }),
    });
    source = new EventSource(`/api/projects/${projectId}/visits/stream?${query}`);
    source.addEventListener('open', () => onState?.('live'));
    source.addEventListener('visit', ({ data, lastEventId }) => {
      lastId = lastEventId;
      onVisit(JSON.parse(data as string) as Visit);
    });
    source.addEventListener('skipped', ({ data, lastEventId }) => {
      lastId = lastEventId;
      onSkipped?.((JSON.parse(data as string) as { visits: number }).visits);
    });
    source.addEventListener('error', () => {
      onState?.('lost');
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS);
    });
  };
  onState?.('connecting');
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
