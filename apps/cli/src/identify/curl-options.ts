/** Effect of a curl option on the request headers, method or URL. */
export type CurlEffect =
  | 'header'
  | 'user-agent'
  | 'referer'
  | 'request'
  | 'url'
  | 'data'
  | 'json'
  | 'upload'
  | 'head'
  | 'get'
  | 'next'
  | 'ignored';

interface CurlOption {
  effect: CurlEffect;
  takesValue: boolean;
}

const option = (effect: CurlEffect, takesValue: boolean): CurlOption => ({ effect, takesValue });
const toEntries = (names: string, definition: CurlOption): [string, CurlOption][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, definition]);

/** Options from curl's manual, by letter or long name. Options that are unlikely in a shared command are omitted. */
const OPTIONS = new Map<string, CurlOption>([
  ...toEntries('H header', option('header', true)),
  ...toEntries('A user-agent', option('user-agent', true)),
  ...toEntries('e referer', option('referer', true)),
  ...toEntries('X request', option('request', true)),
  ...toEntries('url', option('url', true)),
  ...toEntries('d data data-ascii data-binary data-raw data-urlencode F form form-string', option('data', true)),
  ...toEntries('json', option('json', true)),
  ...toEntries('T upload-file', option('upload', true)),
  ...toEntries('I head', option('head', false)),
  ...toEntries('G get', option('get', false)),
  ...toEntries(': next', option('next', false)),
  ...toEntries(
    `s silent S show-error v verbose k insecure L location i include show-headers f fail fail-with-body g globoff
     j junk-session-cookies n netrc N no-buffer O remote-name remote-name-all J remote-header-name R remote-time
     0 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only 1 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3
     4 ipv4 6 ipv6 # progress-bar a append q disable p proxytunnel Z parallel compressed compressed-ssh
     location-trusted anyauth basic digest negotiate ntlm path-as-is raw tr-encoding create-dirs crlf disallow-username-in-url
     ssl ssl-reqd no-progress-meter no-keepalive no-alpn no-sessionid retry-connrefused retry-all-errors styled-output
     post301 post302 post303 suppress-connect-headers tcp-nodelay tcp-fastopen cert-status false-start xattr`,
    option('ignored', false),
  ),
  ...toEntries(
    `o output output-dir w write-out x proxy m max-time c cookie-jar b cookie u user U proxy-user E cert cert-type key
     key-type pass cacert capath ciphers tls13-ciphers tls-max curves r range y speed-time Y speed-limit z time-cond
     C continue-at D dump-header connect-timeout connect-to resolve retry retry-delay retry-max-time max-redirs
     max-filesize limit-rate interface local-port dns-servers doh-url noproxy proxy-header proxy1.0 socks4 socks4a
     socks5 socks5-hostname unix-socket abstract-unix-socket keepalive-time trace trace-ascii stderr oauth2-bearer
     aws-sigv4 netrc-file pinnedpubkey rate hsts alt-svc expect100-timeout happy-eyeballs-timeout-ms proto
     proto-default proto-redir request-target variable`,
    option('ignored', true),
  ),
]);

export const curlOption = (name: string): CurlOption | undefined => OPTIONS.get(name);
