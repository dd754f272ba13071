import { Type, type Static } from 'typebox';
import { SingleLine } from './text.schema.js';

const texts = (description: string, maxItems: number, maxLength: number) =>
  Type.Array(SingleLine({ minLength: 1, maxLength }), { maxItems, description });

const assistantFields = {
  name: SingleLine({ minLength: 1, maxLength: 100, description: 'Display name, unique ignoring case' }),
  operator: SingleLine({
    minLength: 1,
    maxLength: 200,
    description: 'The company behind it, spelled as its agents have it: crawls and referrals are compared by it',
  }),
  hosts: texts('Host names in the Referer, in lower case; subdomains belong to them', 50, 253),
  query_values: texts(
    'Values of `utm_source`, `source` and `ref` in links that it makes, in lower case; its hosts count, too',
    50,
    100,
  ),
  android_apps: texts('Package names of its Android apps, which send `android-app://…` as the Referer', 20, 255),
  sources: Type.Optional(texts('Where the facts came from', 50, 200)),
};

export const AssistantRecordSchema = Type.Object(assistantFields, {
  $id: 'AssistantRecord',
  additionalProperties: false,
  description: 'An assistant that sends people to sites, as the data file has it',
});
export const AssistantSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'UUIDv5 of the lower-cased name' }),
    origin: Type.Unsafe<'bundled' | 'own'>({
      type: 'string',
      enum: ['bundled', 'own'],
      description: 'Came with the release, or was added here',
    }),
    is_edited: Type.Boolean({ description: 'It came with the release and was changed here' }),
    ...assistantFields,
  },
  { $id: 'Assistant' },
);
export const AssistantListSchema = Type.Object(
  { assistants: Type.Array(AssistantSchema, { description: 'By name' }) },
  { $id: 'AssistantList' },
);

export type AssistantRecord = Static<typeof AssistantRecordSchema>;
export type AssistantListItem = Static<typeof AssistantSchema>;
export type AssistantList = Static<typeof AssistantListSchema>;
