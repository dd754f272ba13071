import { Type, type Static } from 'typebox';
import { SingleLine } from './text.schema.js';

const texts = (description: string, maxItems: number, maxLength: number) =>
  Type.Array(SingleLine({ minLength: 1, maxLength }), { maxItems, description });

const assistantFields = {
  name: SingleLine({ minLength: 1, maxLength: 100, description: 'Display name. Must be unique, ignoring case.' }),
  operator: SingleLine({
    minLength: 1,
    maxLength: 200,
    description:
      "Company that operates the assistant. To compare referrals with crawls, use the same operator name as for the company's agents.",
  }),
  hosts: texts('Lowercase host names that identify the assistant in the Referer. Subdomains are included.', 50, 253),
  query_values: texts(
    'Lowercase `utm_source`, `source` and `ref` values that identify the assistant in links, in addition to its host names',
    50,
    100,
  ),
  android_apps: texts(
    "Package names of the assistant's Android apps, which send `android-app://…` as the Referer",
    20,
    255,
  ),
  sources: Type.Optional(texts('Sources of this data', 50, 200)),
};

export const AssistantRecordSchema = Type.Object(assistantFields, {
  $id: 'AssistantRecord',
  additionalProperties: false,
  description: 'AI assistant that refers visitors, in the data file format',
});
export const AssistantSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Assistant ID (UUIDv5 of the lowercase name)' }),
    origin: Type.Unsafe<'bundled' | 'own'>({
      type: 'string',
      enum: ['bundled', 'own'],
      description: '`bundled` assistants are part of the release. `own` assistants were added on this instance.',
    }),
    is_edited: Type.Boolean({ description: 'Whether a bundled assistant has been changed on this instance' }),
    ...assistantFields,
  },
  { $id: 'Assistant' },
);
export const AssistantListSchema = Type.Object(
  { assistants: Type.Array(AssistantSchema, { description: 'Assistants, sorted by name' }) },
  { $id: 'AssistantList' },
);

export type AssistantRecord = Static<typeof AssistantRecordSchema>;
export type AssistantListItem = Static<typeof AssistantSchema>;
export type AssistantList = Static<typeof AssistantListSchema>;
