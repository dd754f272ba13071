import { asObject, decodeObject, getMember, getObject, getText, type JsonObject } from './encoded-json.js';
import { toAssetPrice, type Price } from './price.js';

/** x402 versions 1 and 2 (github.com/coinbase/x402, specs/x402-specification-v2.md and specs/transports-v2/http.md). */

const SCHEME = /^[\w-]{1,32}$/;
const NETWORK = /^[\w:-]{1,64}$/;
const ASSET = /^[\w:.-]{1,80}$/;
const UNITS = /^\d{1,78}$/;
const ERROR = /^[\w:-]{1,60}$/;
/** Keeps reduced headers below the length that reports read. */
const MAX_OPTIONS = 10;

/** Returns the options of a `PAYMENT-REQUIRED` header without wallets, or null if it's malformed. */
export function readRequirements(value: string): JsonObject | null {
  const required = decodeObject(value);
  const accepts = getMember(required, 'accepts');
  if (required === null || !Array.isArray(accepts)) return null;
  return {
    ...readVersion(required),
    accepts: accepts.slice(0, MAX_OPTIONS).map((option) => reduceOption(asObject(option))),
  };
}

/** Returns the accepted option of a `PAYMENT-SIGNATURE` or `X-PAYMENT` header, or null if it's malformed. */
export function readAuthorization(value: string): JsonObject | null {
  const payment = decodeObject(value);
  if (payment === null) return null;
  const accepted = getObject(payment, 'accepted');
  if (accepted !== null) return { ...readVersion(payment), accepted: reduceOption(accepted) };
  const authorization = getObject(getObject(payment, 'payload'), 'authorization');
  const units = getText(authorization, 'value', UNITS);
  if (units === null && getMember(payment, 'x402Version') === undefined) return null;
  return {
    ...readVersion(payment),
    ...reduceOption(payment),
    payload: { authorization: units === null ? {} : { value: units } },
  };
}

/** Returns the result of a `PAYMENT-RESPONSE` or `X-PAYMENT-RESPONSE` header, or null if it's malformed. */
export function readSettlement(value: string): { success: boolean; errorReason?: string; network?: string } | null {
  const settlement = decodeObject(value);
  const isSuccess = getMember(settlement, 'success');
  if (typeof isSuccess !== 'boolean') return null;
  const errorReason = getText(settlement, 'errorReason', ERROR);
  const network = getText(settlement, 'network', NETWORK);
  return { success: isSuccess, ...(errorReason !== null && { errorReason }), ...(network !== null && { network }) };
}

/** Prices of the options in the order of the header, which is the seller's preference. */
export function getRequiredPrices(required: JsonObject): Price[] {
  return (required['accepts'] as JsonObject[]).map(getPrice).filter((price) => price !== null);
}

/**
 * Returns the price that the agent authorized. Version 1 doesn't name the asset, so the price is null unless the site
 * accepts only one option on the network.
 *
 * @param required Requirements in the response.
 */
export function getAuthorizedPrice(payment: JsonObject, required: JsonObject | null): Price | null {
  const accepted = getObject(payment, 'accepted');
  if (accepted !== null) return getPrice(accepted);
  const units = getText(getObject(getObject(payment, 'payload'), 'authorization'), 'value', UNITS);
  const network = getText(payment, 'network', NETWORK);
  const options = ((required?.['accepts'] ?? []) as JsonObject[]).filter((option) => option['network'] === network);
  const asset = options.length === 1 ? getText(options[0]!, 'asset', ASSET) : null;
  return units === null || network === null || asset === null ? null : toAssetPrice(units, network, asset);
}

function getPrice(option: JsonObject): Price | null {
  const units = getText(option, 'amount', UNITS) ?? getText(option, 'maxAmountRequired', UNITS);
  const network = getText(option, 'network', NETWORK);
  const asset = getText(option, 'asset', ASSET);
  return units === null || network === null || asset === null ? null : toAssetPrice(units, network, asset);
}

function reduceOption(option: JsonObject | null): JsonObject {
  const reduced: Record<string, string> = {};
  const patterns = { scheme: SCHEME, network: NETWORK, asset: ASSET, amount: UNITS, maxAmountRequired: UNITS };
  for (const [name, pattern] of Object.entries(patterns)) {
    const text = getText(option, name, pattern);
    if (text !== null) reduced[name] = text;
  }
  return reduced;
}

function readVersion(object: JsonObject): { x402Version?: number } {
  const version = getMember(object, 'x402Version');
  return version === 1 || version === 2 ? { x402Version: version } : {};
}
