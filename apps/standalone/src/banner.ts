import { existsSync } from 'node:fs';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

interface BannerOptions {
  url: string;
  /** Shown on the first start only. */
  accessToken: string | null;
  /** Shown until there is an administrator. */
  setupCode: string | null;
  /** Folders that hold the data. */
  kept: readonly string[];
}

/** What a person reads after a start. */
export function banner({ url, accessToken, setupCode, kept }: BannerOptions): string {
  const address = `
  Agent Traffic is running at ${url}
  Open it in a browser for the dashboard. The API is described at ${url}/docs
${setupNotice(setupCode, url)}`;
  // A package that was installed from npm has no launcher in the folder of its user.
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

/** A line to paste that sends a visit. */
export function firstVisit(url: string, accessToken: string): string {
  const visit = { request_path: '/', request_method: 'GET', request_headers: { 'user-agent': BOT } };
  return `curl -i ${url}/visits -H 'Authorization: Bearer ${accessToken}' -H 'Content-Type: application/json' -d '${JSON.stringify(visit)}'`;
}

/** How the first administrator is made, while there is none. */
export const setupNotice = (code: string | null, url: string): string =>
  code === null
    ? ''
    : `
  There is no administrator yet. The first person to open this address within a day becomes the administrator:

    ${setupAddress(url, code)}
`;

/** The page that asks for the setup code, with it filled in: a fragment reaches neither a server nor its log. */
const setupAddress = (url: string, code: string): string => `${url}/setup#${code}`;
