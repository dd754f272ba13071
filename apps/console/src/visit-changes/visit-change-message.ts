import type { BusMessage } from '#libs/bus';
import { CHANGED_EVENT_TYPE, CHANGED_HEADERS, TOPICS, type VisitChange } from '#libs/contracts';

/** A change of a visit as other services read it. */
export const visitChangeMessage = (change: VisitChange): BusMessage => ({
  topic: TOPICS.visitsChanged,
  key: change.visit_id ?? change.project_id,
  value: Buffer.from(JSON.stringify(change)),
  headers: {
    [CHANGED_HEADERS.specVersion]: '1.0',
    [CHANGED_HEADERS.type]: CHANGED_EVENT_TYPE,
    [CHANGED_HEADERS.source]: `/projects/${change.project_id}`,
    [CHANGED_HEADERS.id]: change.id,
    [CHANGED_HEADERS.time]: change.changed_at,
    [CHANGED_HEADERS.contentType]: 'application/json',
  },
});
