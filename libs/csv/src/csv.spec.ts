import { formatCsvCell, formatCsvLine } from './csv.js';

describe('formatCsvCell', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [-12.5, '-12.5'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' padded', '" padded"'],
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['+49', "'+49"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\t=1', `"\t'=1"`],
    ["x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"],
    ['a\t=1\t;+2', "a\t'=1\t;'+2"],
    ['a; =1', "a;' =1"],
    ['a;"=1"', `"a;'""=1"""`],
    ['Bot/1.0 (compatible; +https://bot.example)', 'Bot/1.0 (compatible; +https://bot.example)'],
    ['a; +http(A1)', "a;' +http(A1)"],
    ['\tplain', '"\tplain"'],
    ['\r=1', `"\r'=1"`],
    ['a\n=1', `"a\n'=1"`],
    ['a\r\n +1\n-1', `"a\r\n' +1\n'-1"`],
    ['＝1', "'＝1"],
    ['a=1', 'a=1'],
  ])('formats %j as %j', (value, cell) => {
    expect(formatCsvCell(value)).toBe(cell);
  });
});

it('formatCsvLine joins cells into a line', () =>
  expect(formatCsvLine(['a', 1, null, 'b,c', true])).toBe('a,1,,"b,c",true\r\n'));
