import { Type } from 'typebox';
import { AGENT_TYPES, validator } from '#libs/contracts';

const Flag = Type.Optional(Type.Boolean());
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const list = (maxLength: number, maxItems: number) => Type.Array(text(maxLength), { maxItems });
const nullable = (maxLength: number) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength });

/** One record of the data file, as far as a schema can tell; nothing in it is unbounded. */
const AgentRecordSchema = Type.Object(
  {
    token: text(200),
    type: Type.Unsafe<string>({ type: 'string', enum: [...AGENT_TYPES] }),
    operator: nullable(200),
    url: nullable(2_048),
    user_agent_patterns: list(500, 50),
    sample_user_agents: Type.Optional(list(4_096, 50)),
    robots_token: nullable(200),
    verification: Type.Object(
      {
        reverse_dns_suffixes: Type.Optional(list(253, 100)),
        ip_list_urls: Type.Optional(
          Type.Array(Type.Object({ url: text(2_048), format: text(500) }, { additionalProperties: false }), {
            maxItems: 50,
          }),
        ),
        ip_ranges: Type.Optional(list(50, 20_000)),
        ip_ranges_as_of: Type.Optional(text(10)),
        signature_agents: Type.Optional(list(2_048, 50)),
      },
      { additionalProperties: false },
    ),
    sources: Type.Optional(list(200, 50)),
    generic: Flag,
    robots_only: Flag,
    signature_only: Flag,
  },
  { additionalProperties: false },
);

export const agentRecord = validator(AgentRecordSchema);
