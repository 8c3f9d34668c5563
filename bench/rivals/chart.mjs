import { GROUPS } from '../data/cases.mjs';
import { drawn } from './drawn.mjs';
import { LABELS } from './labels.mjs';

/** A group of cases as an SVG: a bar for each contestant, by case, on a logarithmic scale of milliseconds. */
export function chart(group, cases) {
  const bars = cases.flatMap(({ name, contestants }) =>
    contestants
      .filter(({ failure }) => failure === undefined)
      .map((one) => ({
        case: name,
        contestant: LABELS[one.rival].label,
        milliseconds: one.milliseconds.median,
      })),
  );
  // a bar on a logarithmic scale needs a beginning, which must be below the least
  const from = 10 ** Math.floor(Math.log10(least(bars) * 0.99));
  const present = Object.values(LABELS).filter(({ label }) =>
    bars.some(({ contestant }) => contestant === label),
  );
  const names = present.map(({ label }) => label);
  return drawn({
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: `${GROUPS[group]}: milliseconds, less is better`,
    background: 'white',
    width: 640,
    height: { step: 9 },
    data: { values: bars },
    mark: 'bar',
    encoding: {
      y: { field: 'case', type: 'nominal', sort: null, title: null },
      yOffset: { field: 'contestant', sort: names },
      x: {
        field: 'milliseconds',
        type: 'quantitative',
        scale: { type: 'log', domainMin: from },
        stack: null,
        title: 'milliseconds (logarithmic)',
      },
      x2: { datum: from },
      color: {
        field: 'contestant',
        scale: { domain: names, range: present.map(({ colour }) => colour) },
        title: null,
      },
    },
  });
}

function least(bars) {
  return bars.reduce((low, { milliseconds }) => Math.min(low, milliseconds), Number.POSITIVE_INFINITY);
}
