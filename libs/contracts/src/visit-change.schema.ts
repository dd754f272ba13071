import { Type, type Static } from 'typebox';
import { EnrichedVisitSchema, type EnrichedVisit } from './enriched-visit.schema.js';
import { openEnum } from './open-enum.js';

/** Kinds of changes to published visits. */
const VISIT_CHANGES = ['reidentified', 'erased', 'project_removed'] as const;
type VisitChangeKind = (typeof VISIT_CHANGES)[number];

const visitTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });

/** Message body on `visits.changed.v1`. */
export const VisitChangeSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Change ID. Duplicates have the same ID.' }),
    changed_at: Type.String({ format: 'date-time', description: 'Time of the change' }),
    change: openEnum<VisitChangeKind>(
      VISIT_CHANGES,
      "`reidentified` means you should replace the visit with `enriched_visit`. `erased` means you should delete the visit. `project_removed` means you should delete all of the project's visits, including any that arrive later.",
    ),
    project_id: Type.String({ format: 'uuid', description: 'ID of the project that reported the visit' }),
    visit_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'Visit ID. Matches the ID in `visits.enriched.v1`. Null for `project_removed`.',
    }),
    received_at: visitTime('Matches the value in `visits.enriched.v1`. Null for `project_removed`.'),
    occurred_at: visitTime('Matches the value in `visits.enriched.v1`. Null for `project_removed`.'),
    enriched_visit: Type.Optional(EnrichedVisitSchema),
  },
  { $id: 'VisitChange' },
);

export type VisitChange = Omit<Static<typeof VisitChangeSchema>, 'enriched_visit'> & { enriched_visit?: EnrichedVisit };
