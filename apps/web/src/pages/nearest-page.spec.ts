import { findNearestPage } from './nearest-page.js';

it.each([
  ['/projects/1/reprots', '/projects/1/reports', 'Reports'],
  ['/projects/1/Visit', '/projects/1/visits', 'Visits'],
  ['/overveiw', '/projects/1/overview', 'Overview'],
  ['/projects/1/unknown%20bots', '/projects/1/unlisted', 'Unknown bots'],
  ['/projects/1/catalogs', '/catalog', 'Catalog'],
])('suggests a page for %s', (pathname, path, label) => {
  expect(findNearestPage(pathname, '1')).toEqual({ path, label });
});

it.each(['/projects/1/pricing', '/', '/projects/1/%E0%A4%A', '/projects/1/tols-and-more'])(
  'suggests nothing for %s',
  (pathname) => {
    expect(findNearestPage(pathname, '1')).toBeNull();
  },
);

it('suggests no project page without a project', () => {
  expect(findNearestPage('/reprots', undefined)).toBeNull();
  expect(findNearestPage('/projcts', undefined)).toEqual({ path: '/projects', label: 'Projects' });
});
