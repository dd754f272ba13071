import { Type, type Static } from 'typebox';
import { Creator } from './account.schema.js';
import { ExpiresAt, NewExpiresAt } from './console.schema.js';
import { Name } from './text.schema.js';

/** API key scopes. No scope includes another. Each operation that accepts API keys requires one of them. */
export const API_KEY_SCOPES = ['read', 'write', 'admin'] as const;

/** Maximum numbers of active API keys: in total for programs, and of personal keys per user. */
export const [MAX_API_KEYS, MAX_PERSONAL_API_KEYS] = [500, 50];

export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

const Id = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });
const Scope = Type.Unsafe<ApiKeyScope>({ type: 'string', enum: [...API_KEY_SCOPES] });

const SCOPES =
  '`read` allows everything that project viewers and administrators can read. `write` allows everything else that project members ' +
  'can do. `admin` allows everything else that project owners and administrators can do. No scope includes another, and the ' +
  'corresponding role is also required.';

export const ApiKeySchema = Type.Object(
  {
    id: Id,
    name: Name,
    scopes: Type.Array(Scope, { description: SCOPES }),
    project_ids: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: Id,
      description:
        "IDs of the projects that the key can access. Null means all projects or, for a personal key, all of that person's projects.",
    }),
    acts_as: nullable<string>('string', {
      description:
        'Email address of the person on whose behalf a personal key acts. The key never has more permissions than this person. Null for other keys.',
    }),
    created_at: Time,
    created_by: Creator,
    revoked_at: nullable<string>('string', { format: 'date-time' }),
    last_used_at: nullable<string>('string', {
      format: 'date-time',
      description: 'Time at which the key was last used, accurate to the minute. Null if it has never been used.',
    }),
    expires_at: ExpiresAt,
  },
  { $id: 'ApiKey' },
);
export const NewApiKeySchema = Type.Object(
  {
    name: Type.Optional(Name),
    scopes: Type.Optional(
      Type.Array(Scope, { minItems: 1, uniqueItems: true, description: `${SCOPES} Default: all.` }),
    ),
    project_ids: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: 1_000,
        description: 'IDs of the projects that the key can access. By default, the key can access all projects.',
      }),
    ),
    expires_at: NewExpiresAt,
  },
  { $id: 'NewApiKey', additionalProperties: false },
);
export const RevealedApiKeySchema = Type.Object(
  { ...ApiKeySchema.properties, key: Type.String({ description: 'API key. Shown only once.' }) },
  { $id: 'RevealedApiKey' },
);
export const ApiKeyListSchema = Type.Object({ api_keys: Type.Array(ApiKeySchema) }, { $id: 'ApiKeyList' });

export type ApiKey = Static<typeof ApiKeySchema>;
export type NewApiKey = Static<typeof NewApiKeySchema>;
export type RevealedApiKey = Static<typeof RevealedApiKeySchema>;
