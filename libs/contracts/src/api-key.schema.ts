import { Type, type Static } from 'typebox';
import { Maker } from './account.schema.js';
import { Ends, Expiry } from './console.schema.js';
import { Name } from './text.schema.js';

/** What an API key may be allowed. None includes another; which of them an operation takes says `scopeOf`. */
export const API_KEY_SCOPES = ['read', 'write', 'admin'] as const;

/** API keys of programs that work, at most, and of each person. */
export const [MAX_API_KEYS, MAX_OWN_API_KEYS] = [500, 50];

export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

const Id = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });
const Scope = Type.Unsafe<ApiKeyScope>({ type: 'string', enum: [...API_KEY_SCOPES] });

const SCOPES =
  '`read`: what viewers of a project read, and administrators of the instance; `write`: what members of a project may do ' +
  'besides; `admin`: what owners and administrators may do besides. None includes another, and all take the right as well';

export const ApiKeySchema = Type.Object(
  {
    id: Id,
    name: Name,
    scopes: Type.Array(Scope, { description: SCOPES }),
    project_ids: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: Id,
      description: 'The projects that it reaches; null: all, or all that its person reaches',
    }),
    acts_as: nullable<string>('string', {
      description: 'Email address of the person whose own key it is: it may do no more than they may; null for others',
    }),
    created_at: Time,
    created_by: Maker,
    revoked_at: nullable<string>('string', { format: 'date-time' }),
    last_used_at: nullable<string>('string', { format: 'date-time', description: 'To the minute; null: never' }),
    expires_at: Ends,
  },
  { $id: 'ApiKey' },
);
export const NewApiKeySchema = Type.Object(
  {
    name: Type.Optional(Name),
    scopes: Type.Optional(
      Type.Array(Scope, { minItems: 1, uniqueItems: true, description: `${SCOPES}. All of them when absent` }),
    ),
    project_ids: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 1_000, description: 'The projects that it reaches; all when absent' }),
    ),
    expires_at: Expiry,
  },
  { $id: 'NewApiKey', additionalProperties: false },
);
export const RevealedApiKeySchema = Type.Object(
  { ...ApiKeySchema.properties, key: Type.String({ description: 'Shown once' }) },
  { $id: 'RevealedApiKey' },
);
export const ApiKeyListSchema = Type.Object({ api_keys: Type.Array(ApiKeySchema) }, { $id: 'ApiKeyList' });

export type ApiKey = Static<typeof ApiKeySchema>;
export type NewApiKey = Static<typeof NewApiKeySchema>;
export type RevealedApiKey = Static<typeof RevealedApiKeySchema>;
