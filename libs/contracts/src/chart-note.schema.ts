import { Type, type Static } from 'typebox';
import { DAY_PATTERN } from './patterns.js';
import { SingleLine } from './text.schema.js';

/** Maximum number of notes per project. */
export const MAX_CHART_NOTES = 1_000;
/** Maximum length of a note in characters. */
const MAX_NOTE_LENGTH = 200;

const fields = {
  day: Type.String({
    format: 'date',
    pattern: DAY_PATTERN,
    maxLength: 10,
    description: "Day in the project's time zone, from 1900 to 2099",
    examples: ['2026-11-21'],
  }),
  text: SingleLine({ minLength: 1, maxLength: MAX_NOTE_LENGTH, examples: ['New robots.txt on the shop'] }),
};
const author = (verb: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `Name of the person who ${verb}. Null if an API key was used or the account has since been deleted.`,
  });

export const ChartNoteSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...fields,
    created_at: Type.String({ format: 'date-time' }),
    created_by: author('wrote the note'),
  },
  { $id: 'ChartNote' },
);
export const NewChartNoteSchema = Type.Object(fields, { $id: 'NewChartNote', additionalProperties: false });
export const ChartNoteChangeSchema = Type.Partial(Type.Object(fields), {
  $id: 'ChartNoteChange',
  additionalProperties: false,
  minProperties: 1,
});

const agents = (change: string) => Type.Integer({ minimum: 0, description: `Number of ${change} agents` });

export const ChartNotesSchema = Type.Object(
  {
    notes: Type.Array(ChartNoteSchema, { description: `Up to ${MAX_CHART_NOTES} notes, sorted by day` }),
    rules_versions: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        saved_at: Type.String({ format: 'date-time' }),
        saved_by: author('saved the version'),
      }),
      { description: 'Saved versions of the robots.txt and server rules, sorted by time' },
    ),
    catalog_updates: Type.Array(
      Type.Object({
        version: Type.String(),
        updated_at: Type.String({ format: 'date-time' }),
        added: agents('added'),
        changed: agents('changed'),
        removed: agents('removed'),
      }),
      { description: 'Catalog updates from new releases, sorted by time' },
    ),
  },
  { $id: 'ChartNotes', description: 'Chart annotations' },
);

export type ChartNote = Static<typeof ChartNoteSchema>;
export type NewChartNote = Static<typeof NewChartNoteSchema>;
export type ChartNotes = Static<typeof ChartNotesSchema>;
