import { Type, type Static } from 'typebox';
import { MAX_RETURNS, ReturnSchema } from './return.schema.js';
import { agentNames, BUCKET } from './statistics.schema.js';

/**
 * Ways to ask for a payment: Cloudflare's pay per crawl, x402, the HTTP authentication schemes Payment and License (RSL),
 * redirects to a toll host, and status 402 without any of these.
 */
export const PAYMENT_SCHEMES = ['crawler', 'x402', 'payment', 'license', 'toll', 'status'] as const;
export type PaymentScheme = (typeof PAYMENT_SCHEMES)[number];

/**
 * Outcomes: the site asked for a payment (`asked`), the agent offered one without a reported result (`offered`), paid
 * (`paid`), presented a license and got the page (`licensed`), or its payment or license was declined (`failed`).
 */
export const PAYMENT_OUTCOMES = ['asked', 'offered', 'paid', 'licensed', 'failed'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

/** Outcomes that react to a request to pay. */
const REACTIONS = ['offered', 'paid', 'licensed', 'failed'] as const;

/** Time in which an agent can react to a price, in minutes. */
export const PAYMENT_WINDOW_MINUTES = 60;
/** Maximum number of visits with payments that a report reads, newest first. */
export const MAX_PAYMENT_VISITS = 50_000;
export const MAX_PAYMENT_AGENTS = 200;
/** Maximum number of prices and currencies per agent. */
export const MAX_PAYMENT_DETAILS = 20;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const Text = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const Decimal = (description: string) => Type.String({ description, examples: ['0.01'] });
const CURRENCY =
  'ISO 4217 code, stablecoin such as `USDC`, or asset with its network, such as `eip155:84532/0x036C…`. The amount of an asset is the number of its smallest units.';

export const PaymentSumSchema = Type.Object(
  {
    currency: Type.String({ description: CURRENCY }),
    amount: Decimal('Exact sum as a decimal number'),
    visits: Count('Number of visits in the sum'),
  },
  { $id: 'PaymentSum' },
);
const Sums = (description: string) =>
  Type.Array(PaymentSumSchema, {
    maxItems: MAX_PAYMENT_DETAILS,
    description: `${description}, by currency. The currency with the most visits comes first.`,
  });

export const PaymentCountsSchema = Type.Object(
  {
    asked: Count('Number of visits in which the site asked for a payment'),
    walked_away: Count(
      `Number of \`asked\` visits after which the agent made no attempt to pay for the same URL within ${PAYMENT_WINDOW_MINUTES} minutes`,
    ),
    offered: Count('Number of visits in which the agent offered to pay, and the response contains no result'),
    paid: Count('Number of paid visits'),
    licensed: Count('Number of visits with a license that got the page. Licenses can be free.'),
    failed: Count('Number of visits with a payment or license that was declined'),
    unasked: Type.Object(
      Object.fromEntries(REACTIONS.map((outcome) => [outcome, Count(`Part of \`${outcome}\``)])) as Record<
        Exclude<PaymentOutcome, 'asked'>,
        ReturnType<typeof Count>
      >,
      {
        description: `Visits with a payment or license that aren't the first ones within ${PAYMENT_WINDOW_MINUTES} minutes after the site asked for the same URL. All others react to an \`asked\` visit and are counted at its time.`,
      },
    ),
    paid_amounts: Sums('Amounts paid'),
    paid_without_amount: Count('Number of paid visits whose amount is unknown'),
    unpaid_amounts: Sums('List prices of the `walked_away` visits: the price in `list_prices`, or the offered price'),
    unpaid_without_amount: Count('Number of `walked_away` visits without a price'),
  },
  { $id: 'PaymentCounts' },
);

const PaymentAgentSchema = Type.Object(
  {
    ...agentNames,
    agent_id: Text('Agent ID. Null for unknown visitors.'),
    is_user_triggered: Type.Boolean({
      description: 'Whether agents of this type fetch pages on behalf of users, so a price charges for a question',
    }),
    is_spoofed: Type.Boolean({ description: 'Whether the visits failed verification as this agent' }),
    ...PaymentCountsSchema.properties,
    is_asked_by_status: Type.Boolean({
      description: 'Whether `asked` counts exactly the visits with status 402 in the range',
    }),
    last_at: Time('Time of the last visit'),
    prices: Type.Array(
      Type.Object({
        scheme: Type.Unsafe<PaymentScheme>({ type: 'string', enum: [...PAYMENT_SCHEMES], description: 'Dialect' }),
        outcome: Type.Unsafe<PaymentOutcome>({ type: 'string', enum: [...PAYMENT_OUTCOMES], description: 'Outcome' }),
        amount: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'Exact price as a decimal number. Null if unknown.',
        }),
        currency: Text(CURRENCY),
        alternatives: Count('Number of other prices that the site would also have accepted'),
        error: Text('Error code'),
        visits: Count('Number of visits'),
      }),
      {
        maxItems: MAX_PAYMENT_DETAILS,
        description: 'Visits by dialect, outcome and price. The most frequent come first.',
      },
    ),
    returns: Type.Array(ReturnSchema, {
      maxItems: MAX_RETURNS,
      description: `Visits under another identity from the same addresses and networks, up to ${PAYMENT_WINDOW_MINUTES} minutes after the agent walked away. Several visitors can share a network. Empty for unknown visitors.`,
    }),
  },
  { $id: 'PaymentAgent' },
);

export const PaymentsReportSchema = Type.Object(
  {
    from: Time('Start of the range'),
    to: Time('End of the range'),
    counted_from: Time(
      `Start of the counted visits. Later than \`from\` if there are more than ${MAX_PAYMENT_VISITS.toLocaleString('en')} payments, of which only the newest are counted.`,
    ),
    returns_from: Time('Start of the time in which visits under other identities were searched'),
    window_minutes: Type.Integer({ description: 'Time in which an agent can react to a price, in minutes' }),
    total: PaymentCountsSchema,
    bucket: BUCKET,
    series: Type.Array(
      Type.Object({
        time: Time('Start'),
        asked: Count('Requests to pay'),
        walked_away: Count('Of these, requests without an attempt to pay'),
        ...(Object.fromEntries(
          REACTIONS.map((outcome) => [outcome, Count(`Of these, requests with the reaction \`${outcome}\``)]),
        ) as Record<(typeof REACTIONS)[number], ReturnType<typeof Count>>),
      }),
      { description: "Requests to pay and the reactions to them over time, in the project's time zone" },
    ),
    agents: Type.Array(PaymentAgentSchema, {
      maxItems: MAX_PAYMENT_AGENTS,
      description: 'Agents, sorted by the number of visits in descending order',
    }),
  },
  { $id: 'PaymentsReport', description: 'Payments for crawling in all dialects. Currencies are never added up.' },
);

export type PaymentSum = Static<typeof PaymentSumSchema>;
export type PaymentCounts = Static<typeof PaymentCountsSchema>;
export type PaymentAgent = Static<typeof PaymentAgentSchema>;
export type PaymentsReport = Static<typeof PaymentsReportSchema>;
