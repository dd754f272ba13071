import { EnvError, makeValidator } from 'envalid';
import { compileProxyRanges, type TrustedProxies } from '#libs/agents';

/** Number of proxies, or their addresses and networks. */
export type TrustedProxiesSetting = number | readonly string[];

const MAX_HOPS = 10;

/** Trusts only proxies on the same machine. */
export const LOOPBACK_PROXIES: TrustedProxiesSetting = ['127.0.0.0/8', '::1'];

const trustedProxiesText = makeValidator<TrustedProxiesSetting>((text) => {
  const parts = text.split(',').map((part) => part.trim());
  const setting = /^\d+$/.test(text) ? Number(text) : parts.filter((part) => part !== '');
  if (typeof setting === 'number' && setting > MAX_HOPS) {
    throw new EnvError(`must be at most ${MAX_HOPS} proxies (got ${text})`);
  }
  try {
    parseTrustedProxies(setting);
    return setting;
  } catch (error) {
    throw new EnvError(
      `must be a comma-separated list of addresses and networks, such as 127.0.0.1,10.0.0.0/24, or a number of proxies: ${(error as Error).message}`,
    );
  }
});

/** @throws {RangeError} naming the first network that can't be parsed. */
export function parseTrustedProxies(setting: TrustedProxiesSetting): TrustedProxies {
  return typeof setting === 'number' ? { hops: setting } : { ranges: compileProxyRanges(setting) };
}

/** Settings for services that people or sites connect to. Spread them into a specification for `readEnvironment`. */
export const proxySettings = {
  TRUSTED_PROXIES: trustedProxiesText({
    default: LOOPBACK_PROXIES,
    desc: 'Proxies whose X-Forwarded-For header is trusted, as a comma-separated list of addresses and networks or as a number',
  }),
};
