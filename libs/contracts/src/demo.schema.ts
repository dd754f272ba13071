import { Type, type Static } from 'typebox';
import { SingleLine } from './text.schema.js';

const DEMO_STATES = ['absent', 'loading', 'loaded', 'failed'] as const;

export const NewDemoSchema = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 90,
        description: 'Number of days that the visits cover, ending now. Default: 60.',
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Random seed. Default: 1.',
      }),
    ),
    live: Type.Optional(
      Type.Boolean({ description: 'Whether to add new visits until the demo project is removed. Default: true.' }),
    ),
    time_zone: Type.Optional(
      SingleLine({ maxLength: 100, description: 'IANA time zone of the project', examples: ['Europe/Berlin'] }),
    ),
  },
  { $id: 'NewDemo', additionalProperties: false },
);

export const DemoSchema = Type.Object(
  {
    state: Type.Unsafe<(typeof DEMO_STATES)[number]>({
      type: 'string',
      enum: [...DEMO_STATES],
      description:
        '`failed` means that only some of the visits were loaded. In that case, remove the demo project and load it again.',
    }),
    project_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'ID of the demo project. Null if there is none.',
    }),
    visits: Type.Integer({ minimum: 0, description: 'Number of visits loaded so far' }),
    done: Type.Number({ minimum: 0, maximum: 1, description: 'Progress, from 0 to 1' }),
  },
  { $id: 'Demo', description: 'Demo visits to an example shop, in a separate project' },
);

/** Default number of days that demo visits cover. */
export const DEFAULT_DEMO_DAYS = 60;

export type NewDemo = Static<typeof NewDemoSchema>;
export type Demo = Static<typeof DemoSchema>;
