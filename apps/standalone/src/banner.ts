import { existsSync } from 'node:fs';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

interface BannerOptions {
  url: string;
  /** Access token to show on the first start, or null on later starts. */
  accessToken: string | null;
  /** Setup code to show until an administrator exists. */
  setupCode: string | null;
  kept: readonly string[];
}

export function banner({ url, accessToken, setupCode, kept }: BannerOptions): string {
  const address = `
  Agent Traffic is running at ${url}
  Open it in a browser to see the dashboard. API documentation: ${url}/docs
${setupNotice(setupCode, url)}`;
  // npm installations don't have a launcher in the current folder.
  const command = existsSync('agent-traffic') ? './agent-traffic' : 'npx agent-traffic';
  if (accessToken === null) return `${address}\n`;
  return `${address}
  Your project's access token:

    ${accessToken}

  Send your first visit:

    ${firstVisit(url, accessToken)}

  In this folder (${process.cwd()}):

    Watch visits arrive:    ${command} visits tail
    Import an access log:   ${command} logs import /var/log/nginx/access.log

  All data is stored in  ${kept.join(' and ')}

`;
}

export function firstVisit(url: string, accessToken: string): string {
  const visit = { request_path: '/', request_method: 'GET', request_headers: { 'user-agent': BOT } };
  return `curl -i ${url}/visits -H 'Authorization: Bearer ${accessToken}' -H 'Content-Type: application/json' -d '${JSON.stringify(visit)}'`;
}

export const setupNotice = (code: string | null, url: string): string =>
  code === null
    ? ''
    : `
  Create the administrator account. The first person to open this link within a day becomes the administrator:

    ${setupAddress(url, code)}
`;

/** The code is in the URL fragment, because browsers never send fragments to a server. */
const setupAddress = (url: string, code: string): string => `${url}/setup#${code}`;
