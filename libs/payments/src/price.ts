import { fromUnits, parseAmount } from './amount.js';
import { getMinorDigits, isCurrency } from './minor-digits.js';

/** Exact price. */
export interface Price {
  /** Decimal amount, such as `0.01`. If the currency is an unknown asset, the number of its smallest units. */
  amount: string;
  /**
   * ISO 4217 code, code of a known stablecoin such as `USDC`, or an unknown asset with its network, such as
   * `eip155:84532/0x036CbD53842c5426634e7929541eC2318f3dCF7e`.
   */
  currency: string;
}

/** Cloudflare's format: a currency and an amount, such as `USD 0.01`. */
const CRAWLER_PRICE = /^([A-Za-z]{3})[ \t]+([\d.]{1,40})$/;

/** Names of networks in x402 version 1, and their CAIP-2 IDs in version 2. */
const NETWORK_IDS: ReadonlyMap<string, string> = new Map([
  ['base', 'eip155:8453'],
  ['polygon', 'eip155:137'],
  ['avalanche', 'eip155:43114'],
  ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
]);

/**
 * Stablecoins with their networks and contracts in lower case, from circle.com (USDC and EURC contract addresses) and
 * tether.to. Coins on test networks are missing, because they have no value.
 */
const STABLECOINS: ReadonlyMap<string, readonly [currency: string, digits: number]> = new Map([
  ['eip155:1/0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', ['USDC', 6]],
  ['eip155:1/0xdac17f958d2ee523a2206206994597c13d831ec7', ['USDT', 6]],
  ['eip155:10/0x0b2c639c533813f4aa9d7837caf62653d097ff85', ['USDC', 6]],
  ['eip155:137/0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', ['USDC', 6]],
  ['eip155:8453/0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', ['USDC', 6]],
  ['eip155:8453/0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42', ['EURC', 6]],
  ['eip155:42161/0xaf88d065e77c8cc2239327c5edb3a432268e5831', ['USDC', 6]],
  ['eip155:43114/0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', ['USDC', 6]],
  ['solana:5eykt4usfv8p8njdtrepy1vzqkqzkvdp/epjfwdd5aufqssqem2qn1xzybapc8g4wegggkzwytdt1v', ['USDC', 6]],
]);

/** Parses a price such as `USD 0.01`, or returns null. */
export function parseCrawlerPrice(text: string): Price | null {
  const match = CRAWLER_PRICE.exec(text.trim());
  if (match === null) return null;
  const amount = parseAmount(match[2]!);
  return amount === null ? null : { amount, currency: match[1]!.toUpperCase() };
}

/**
 * Returns the price of atomic units of an asset.
 *
 * @param network Name in x402 version 1, or CAIP-2 ID.
 */
export function toAssetPrice(units: string, network: string, asset: string): Price | null {
  const networkId = NETWORK_IDS.get(network) ?? network;
  const [currency, digits] = STABLECOINS.get(`${networkId}/${asset}`.toLowerCase()) ?? [`${networkId}/${asset}`, 0];
  const amount = fromUnits(units, digits);
  return amount === null ? null : { amount, currency };
}

/**
 * Returns the price of smallest units of a currency, as in draft-payment-intent-charge-00 section 4.
 *
 * @param currency ISO 4217 code, or an asset of the payment method.
 */
export function toChargePrice(units: string, method: string, currency: string): Price | null {
  const code = currency.toUpperCase();
  const isIso = isCurrency(code);
  const amount = fromUnits(units, isIso ? getMinorDigits(code) : 0);
  return amount === null ? null : { amount, currency: isIso ? code : `${method}/${currency}` };
}
