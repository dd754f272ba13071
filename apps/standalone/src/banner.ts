const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

export interface BannerOptions {
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
  const address = `\n  Agent Traffic is running at ${url}   (interface: ${url}/docs)\n${setupNotice(setupCode)}`;
  if (accessToken === null) return `${address}\n`;
  return `${address}
  Your project's access token:

    ${accessToken}

  Send a first visit:

    ${firstVisit(url, accessToken)}

  Watch visits arrive:      npx agent-traffic visits tail
  Import an access log:     npx agent-traffic logs import /var/log/nginx/access.log
  Everything is kept under  ${kept.join(' and ')}

`;
}

/** A line to paste that sends a visit. */
export function firstVisit(url: string, accessToken: string): string {
  const visit = { request_path: '/', request_method: 'GET', request_headers: { 'user-agent': BOT } };
  return `curl -i ${url}/visits -H 'Authorization: Bearer ${accessToken}' -H 'Content-Type: application/json' -d '${JSON.stringify(visit)}'`;
}

/** How the first administrator is made, while there is none. */
export const setupNotice = (code: string | null): string =>
  code === null
    ? ''
    : `
  Nobody administers it yet. The setup code, for a day and for one administrator:

    ${code}
`;
