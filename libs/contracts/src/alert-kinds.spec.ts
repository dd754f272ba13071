import { ALERT_KIND_NAMES, ALERT_KINDS, getSensitivities } from './alert-kinds.js';

it.each(ALERT_KIND_NAMES)(
  'uses the defaults of %s for a medium sensitivity, and orders the others around them',
  (kind) => {
    const settings = getSensitivities(kind);
    const { test, defaults } = ALERT_KINDS[kind];
    if (test === 'seen') return expect(settings).toBeNull();
    const { low, medium, high } = settings!;
    expect(medium).toEqual({ threshold: defaults.threshold, minimum: defaults.minimum });
    const measure = test === 'silence' ? 'minimum' : 'threshold';
    expect(low[measure]).toBeGreaterThan(medium[measure]);
    expect(high[measure]).toBeLessThan(medium[measure]);
    expect(high[measure]).toBeGreaterThan(0);
    return expect(test === 'share' ? low.threshold : 0).toBeLessThan(100);
  },
);
