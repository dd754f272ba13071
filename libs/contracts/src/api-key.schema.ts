import { Type, type Static } from 'typebox';
import { Creator } from './account.schema.js';
import { ExpiresAt, NewExpiresAt } from './console.schema.js';
import { Name } from './text.schema.js';

/** Scopes of API keys. No scope includes another. `scopeOf` returns the scope that an operation requires. */
export const API_KEY_SCOPES = ['read', 'write', 'admin'] as const;

/** Maximum number of active API keys: for programs, and per person. */
export const [MAX_API_KEYS, MAX_OWN_API_KEYS] = [500, 50];

export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

const Id = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });
const Scope = Type.Unsafe<ApiKeyScope>({ type: 'string', enum: [...API_KEY_SCOPES] });

const SCOPES =
  '`read`: read what project viewers and administrators can read. `write`: do everything else that project members can do. ' +
  '`admin`: do everything else that project owners and administrators can do. No scope includes another, and the role is ' +
  'also required.';

export const ApiKeySchema = Type.Object(
  {
    id: Id,
    name: Name,
    scopes: Type.Array(Scope, { description: SCOPES }),
    project_ids: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: Id,
      description: 'Projects that the key can access. Null: all projects, or all projects of its person.',
    }),
    acts_as: nullable<string>('string', {
      description:
        "Email address of the person that a personal key acts as. The key is limited to this person's permissions. Null for other keys.",
    }),
    created_at: Time,
    created_by: Creator,
    revoked_at: nullable<string>('string', { format: 'date-time' }),
    last_used_at: nullable<string>('string', {
      format: 'date-time',
      description: 'Time of last use, to the minute, or null if never used',
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
      Type.Array(Id, { minItems: 1, maxItems: 1_000, description: 'Projects that the key can access. Default: all.' }),
    ),
    expires_at: NewExpiresAt,
  },
  { $id: 'NewApiKey', additionalProperties: false },
);
export const RevealedApiKeySchema = Type.Object(
  { ...ApiKeySchema.properties, key: Type.String({ description: 'Key value. Shown only once.' }) },
  { $id: 'RevealedApiKey' },
);
export const ApiKeyListSchema = Type.Object({ api_keys: Type.Array(ApiKeySchema) }, { $id: 'ApiKeyList' });

export type ApiKey = Static<typeof ApiKeySchema>;
export type NewApiKey = Static<typeof NewApiKeySchema>;
export type RevealedApiKey = Static<typeof RevealedApiKeySchema>;
