import { Type, type Static } from 'typebox';
import { SingleLine } from './text.schema.js';

const texts = (description: string, maxItems: number, maxLength: number) =>
  Type.Array(SingleLine({ minLength: 1, maxLength }), { maxItems, description });

const assistantFields = {
  name: SingleLine({ minLength: 1, maxLength: 100, description: 'Display name, unique regardless of case' }),
  operator: SingleLine({
    minLength: 1,
    maxLength: 200,
    description:
      "Company that operates the assistant. Must match the operator of the company's agents to compare referrals with crawls.",
  }),
  hosts: texts('Lower-case host names in the Referer, including their subdomains', 50, 253),
  query_values: texts(
    'Lower-case values of `utm_source`, `source` and `ref` in links from the assistant, in addition to its host names',
    50,
    100,
  ),
  android_apps: texts('Package names of Android apps, which send `android-app://…` as the Referer', 20, 255),
  sources: Type.Optional(texts('Sources of this data', 50, 200)),
};

export const AssistantRecordSchema = Type.Object(assistantFields, {
  $id: 'AssistantRecord',
  additionalProperties: false,
  description: 'AI assistant that refers visitors, as in the data file',
});
export const AssistantSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Assistant ID: UUIDv5 of the lower-cased name' }),
    origin: Type.Unsafe<'bundled' | 'own'>({
      type: 'string',
      enum: ['bundled', 'own'],
      description: '`bundled`: part of the release. `own`: added on this instance.',
    }),
    is_edited: Type.Boolean({ description: 'Whether a bundled assistant was changed on this instance' }),
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
