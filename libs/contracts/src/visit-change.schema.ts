import { Type, type Static } from 'typebox';
import { EnrichedVisitSchema, type EnrichedVisit } from './enriched-visit.schema.js';
import { openEnum } from './open-enum.js';

/** Changes to visits after they were published. */
const VISIT_CHANGES = ['reidentified', 'erased', 'project_removed'] as const;
type VisitChangeKind = (typeof VISIT_CHANGES)[number];

const visitTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });

/** Message body on `visits.changed.v1`. */
export const VisitChangeSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'ID of the change, the same for every redelivery' }),
    changed_at: Type.String({ format: 'date-time', description: 'When the visit changed' }),
    change: openEnum<VisitChangeKind>(
      VISIT_CHANGES,
      '`reidentified`: replace the visit with `enriched_visit`. `erased`: delete the visit. `project_removed`: delete all visits of the project, including those that arrive later.',
    ),
    project_id: Type.String({ format: 'uuid', description: 'Project of the visit' }),
    visit_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'ID of the visit, same as on `visits.enriched.v1`. Null for `project_removed`.',
    }),
    received_at: visitTime('Same as on `visits.enriched.v1`. Null for `project_removed`.'),
    occurred_at: visitTime('Same as on `visits.enriched.v1`. Null for `project_removed`.'),
    enriched_visit: Type.Optional(EnrichedVisitSchema),
  },
  { $id: 'VisitChange' },
);

export type VisitChange = Omit<Static<typeof VisitChangeSchema>, 'enriched_visit'> & { enriched_visit?: EnrichedVisit };
