import { Type, type Static } from 'typebox';
import { SingleLine } from './text.schema.js';

const DEMO_STATES = ['absent', 'loading', 'loaded', 'failed'] as const;

export const NewDemoSchema = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 90, description: 'How many days, until now; 30 unless given' }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Another number makes other visits; 1 unless given',
      }),
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
      description: '`failed`: only some of the visits were loaded. Remove the project, and load them again',
    }),
    project_id: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description: 'Their project' }),
    visits: Type.Integer({ minimum: 0, description: 'Visits loaded so far' }),
    done: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the days that are loaded' }),
  },
  { $id: 'Demo', description: 'Made-up visits of a shop, in a project of their own' },
);

export type NewDemo = Static<typeof NewDemoSchema>;
export type Demo = Static<typeof DemoSchema>;
