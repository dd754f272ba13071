import { Type, type Static } from 'typebox';

/** Name of the format in a schema. */
export const LICENSE_URL = 'license-url';

/** Whether a text can be the URL of a License line: absolute, and without what would end the line, or begin a comment in it. */
export const isLicenseUrl = (text: string): boolean => /^https?:\/\/[!"$-~]+$/i.test(text) && URL.canParse(text);

const stated = (description: string) =>
  Type.Optional(Type.Boolean({ description: `${description}; absent: nothing is stated` }));

const ContentSignalSchema = Type.Object(
  {
    search: stated('It may be in a search index, and shown as links and excerpts'),
    ai_input: stated('AI models may read it to answer questions'),
    ai_train: stated('AI models may be trained on it'),
  },
  { additionalProperties: false, description: 'What Content-Signal says about the content (contentsignals.org)' },
);

const ContentUsageSchema = Type.Object(
  {
    search: stated('It may be in a search index'),
    train_ai: stated('AI models may be trained on it'),
  },
  { additionalProperties: false, description: 'What Content-Usage says about the content (draft-ietf-aipref-vocab)' },
);

const LicenseSchema = Type.String({
  format: LICENSE_URL,
  maxLength: 2_048,
  description: 'Where the terms are, for a License line (RSL 1.0): an absolute URL',
  examples: ['https://shop.example/license.xml'],
});

/** What a robots.txt says about how content may be used, as members of a body. */
export const usageSignals = {
  content_signal: Type.Optional(ContentSignalSchema),
  content_usage: Type.Optional(ContentUsageSchema),
  license: Type.Optional(LicenseSchema),
};

type ContentSignal = Static<typeof ContentSignalSchema>;
type ContentUsage = Static<typeof ContentUsageSchema>;

/** The same where null is as good as absent. */
export const nullableUsageSignals = {
  content_signal: Type.Optional(
    Type.Unsafe<ContentSignal | null>({ ...ContentSignalSchema, type: ['object', 'null'] }),
  ),
  content_usage: Type.Optional(Type.Unsafe<ContentUsage | null>({ ...ContentUsageSchema, type: ['object', 'null'] })),
  license: Type.Optional(Type.Unsafe<string | null>({ ...LicenseSchema, type: ['string', 'null'] })),
};

/** What a robots.txt says about how content may be used. */
export interface UsageSignals {
  content_signal?: ContentSignal | null;
  content_usage?: ContentUsage | null;
  license?: string | null;
}
