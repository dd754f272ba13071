import { existsSync } from 'node:fs';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

interface BannerOptions {
  url: string;
  /** Shown only on the first start. */
  accessToken: string | null;
  /** Shown until there is an administrator. */
  setupCode: string | null;
  kept: readonly string[];
}

export function banner({ url, accessToken, setupCode, kept }: BannerOptions): string {
  const address = `
  Agent Traffic is running at ${url}
  Open it in a browser for the dashboard. The API is described at ${url}/docs
${setupNotice(setupCode, url)}`;
  // npm installations have no launcher in the current folder.
  const command = existsSync('agent-traffic') ? './agent-traffic' : 'npx agent-traffic';
  if (accessToken === null) return `${address}\n`;
  return `${address}
  Your project's access token:

    ${accessToken}

  Send a first visit:

    ${firstVisit(url, accessToken)}

  In this folder (${process.cwd()}):

    Watch visits arrive:    ${command} visits tail
    Import an access log:   ${command} logs import /var/log/nginx/access.log

  Everything is kept under  ${kept.join(' and ')}

`;
}

export function firstVisit(url: string, accessToken: string): string {
  const visit = { request_path: '/', request_method: 'GET', request_headers: { 'user-agent': BOT } };
  return `curl -i ${url}/visits -H 'Authorization: Bearer ${accessToken}' -H 'Content-Type: application/json' -d '${JSON.stringify(visit)}'`;
}

/** Returns instructions for becoming the first administrator. Empty without a setup code. */
export const setupNotice = (code: string | null, url: string): string =>
  code === null
    ? ''
    : `
  There is no administrator yet. The first person to open this address within a day becomes the administrator:

    ${setupAddress(url, code)}
`;

/** Returns the URL of the setup page. The code is in the fragment, which never reaches a server or its logs. */
const setupAddress = (url: string, code: string): string => `${url}/setup#${code}`;
