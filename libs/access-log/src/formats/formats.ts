import { akamai } from './akamai.js';
import { alb } from './alb.js';
import { apacheFormats } from './apache.js';
import { awsWaf } from './aws-waf.js';
import { azureFrontDoor } from './azure-front-door.js';
import { caddy } from './caddy.js';
import { cloudflareLogpush } from './cloudflare-logpush.js';
import { cloudFrontJson } from './cloudfront-json.js';
import { cloudFront, cloudFrontRealTime } from './cloudfront.js';
import { envoyJson } from './envoy-json.js';
import { envoy } from './envoy.js';
import { fastly } from './fastly.js';
import { googleLoadBalancer } from './google-load-balancer.js';
import { haproxy } from './haproxy.js';
import { iis } from './iis.js';
import type { JsonFormat, LogFormat, TextFormat } from './log-format.js';
import { netlify } from './netlify.js';
import { nginxJson } from './nginx-json.js';
import { traefikCommon } from './traefik-common.js';
import { traefikJson } from './traefik-json.js';
import { vercel } from './vercel.js';

/** JSON formats in detection order. Formats with more distinctive keys come first. */
export const JSON_FORMATS: readonly JsonFormat[] = [
  caddy,
  cloudflareLogpush,
  traefikJson,
  cloudFrontJson,
  awsWaf,
  googleLoadBalancer,
  azureFrontDoor,
  vercel,
  akamai,
  fastly,
  envoyJson,
  netlify,
  nginxJson,
];

/** Text formats in detection order. Formats with header lines or more fields come first. */
export const TEXT_FORMATS: readonly TextFormat[] = [
  cloudFront,
  cloudFrontRealTime,
  iis,
  alb,
  haproxy,
  envoy,
  traefikCommon,
  ...apacheFormats,
];

export const LOG_FORMATS: readonly LogFormat[] = [...TEXT_FORMATS, ...JSON_FORMATS];
