import { Type, type Static } from 'typebox';

/** JSON Schema format for license URLs. */
export const LICENSE_URL = 'license-url';

/** Returns true if the text can be the URL in a License line. It must be absolute, without spaces, line breaks or `#`. */
export const isLicenseUrl = (text: string): boolean => /^https?:\/\/[!"$-~]+$/i.test(text) && URL.canParse(text);

const preference = (description: string) =>
  Type.Optional(Type.Boolean({ description: `${description}. Omit it to express no preference.` }));

/** Uses that `use=` in a Content-Signal line permits, from the least to the most. */
export const CONTENT_SIGNAL_USES = ['immediate', 'reference', 'full'] as const;

const ContentSignalSchema = Type.Object(
  {
    search: preference('Whether content may be indexed for search and shown as links and excerpts'),
    ai_input: preference('Whether AI models may use content to answer questions'),
    ai_train: preference('Whether AI models may be trained on content'),
    use: Type.Optional(
      Type.Unsafe<(typeof CONTENT_SIGNAL_USES)[number]>({
        type: 'string',
        enum: [...CONTENT_SIGNAL_USES],
        description:
          'Maximum use: `immediate` stores nothing, `reference` indexes and links, and `full` includes everything. Omit it ' +
          'to express no preference.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Content-Signal preferences (contentsignals.org)' },
);

const ContentUsageSchema = Type.Object(
  {
    search: preference('Whether content may be indexed for search'),
    train_ai: preference('Whether AI models may be trained on content'),
    ai_use: preference('Whether AI models may use content to generate output'),
  },
  { additionalProperties: false, description: 'Content-Usage preferences (draft-ietf-aipref-vocab)' },
);

const LicenseSchema = Type.String({
  format: LICENSE_URL,
  maxLength: 2_048,
  description: 'Absolute URL of the license terms, for a License line (RSL 1.0)',
  examples: ['https://shop.example/license.xml'],
});

/** Body fields for the usage preferences in robots.txt. */
export const usageSignals = {
  content_signal: Type.Optional(ContentSignalSchema),
  content_usage: Type.Optional(ContentUsageSchema),
  license: Type.Optional(LicenseSchema),
};

type ContentSignal = Static<typeof ContentSignalSchema>;
type ContentUsage = Static<typeof ContentUsageSchema>;

/** Like {@link usageSignals}, but treats null as absent. */
export const nullableUsageSignals = {
  content_signal: Type.Optional(
    Type.Unsafe<ContentSignal | null>({ ...ContentSignalSchema, type: ['object', 'null'] }),
  ),
  content_usage: Type.Optional(Type.Unsafe<ContentUsage | null>({ ...ContentUsageSchema, type: ['object', 'null'] })),
  license: Type.Optional(Type.Unsafe<string | null>({ ...LicenseSchema, type: ['string', 'null'] })),
};

/** Usage preferences in robots.txt. */
export interface UsageSignals {
  content_signal?: ContentSignal | null;
  content_usage?: ContentUsage | null;
  license?: string | null;
}
