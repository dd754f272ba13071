import { CHANGED_EVENT_TYPE, CHANGED_HEADERS, TOPICS, type VisitChange } from '#libs/contracts';
import type { OutboundTopic } from '../topic.js';

/** `visits.changed.v1`: a change to a visit as a CloudEvents 1.0 event in binary mode. */
export const VISIT_CHANGES: OutboundTopic<VisitChange> = {
  name: TOPICS.visitsChanged,

  encode: (change) => ({
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
  }),
};
