/** Paths, each with its redacted form. All clients must redact them like the gateway does. */
export const REDACTED_PATHS: [path: string, redacted: string][] = [
  ['/a;jsessionid=AB12', '/a;jsessionid=[redacted]'],
  ['/a;jsessionid=AB12?page=2', '/a;jsessionid=[redacted]'],
  ['/a;v=1;PHPSESSID=AB12/b', '/a;v=1;PHPSESSID=[redacted]'],
  ['/a;v=1/b;c', '/a;v=1/b;c'],
  ['/a?%EF%BD%94oken=abc&page=2', '/a?%EF%BD%94oken=[redacted]&page=2'],
];

/** Header values, each with its redacted form. All clients must redact them alike. */
export const REDACTED_HEADER_VALUES: [value: string | string[], redacted: string | string[]][] = [
  ['https://a.example/?token=abc&page=2', 'https://a.example/?token=[redacted]&page=2'],
  ['https://a.example/a;jsessionid=AB12', 'https://a.example/a;jsessionid=[redacted]'],
  ['</a;jsessionid=AB12>; rel="next"', '</a;jsessionid=[redacted]; rel="next"'],
  [
    ['/a;jsessionid=AB12', '/b?token=abc', 'c'],
    ['/a;jsessionid=[redacted]', '/b?token=[redacted]', 'c'],
  ],
  ['GPTBot/1.2; token=abc', 'GPTBot/1.2; token=abc'],
  ['GPTBot/1.2;token=abc', 'GPTBot/1.2;token=abc'],
];
