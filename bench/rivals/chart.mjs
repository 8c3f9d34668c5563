import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import { GROUPS } from '../data/cases.mjs';

/** One colour for each contestant in every chart; those of Okabe and Ito, told apart by the colour-blind. */
const COLOURS = {
  rangefold: '#0072B2',
  DuckDB: '#E69F00',
  'DuckDB, any order': '#F0E442',
  Polars: '#009E73',
  Arquero: '#CC79A7',
  'Map loop': '#999999',
  reference: '#56B4E9',
};

/** A group of cases as an SVG: a bar for each contestant, by case, on a logarithmic scale of milliseconds. */
export async function chart(group, cases) {
  const bars = cases.flatMap(({ name, contestants }) =>
    contestants
      .filter(({ failure }) => failure === undefined)
      .map((one) => ({ case: name, contestant: plain(one.name), milliseconds: one.milliseconds.median })),
  );
  // a bar on a logarithmic scale needs a beginning, which must be below the least
  const from = 10 ** Math.floor(Math.log10(least(bars) * 0.99));
  const present = Object.keys(COLOURS).filter((name) => bars.some(({ contestant }) => contestant === name));
  const { spec } = compile({
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: `${GROUPS[group]}: milliseconds, less is better`,
    background: 'white',
    width: 640,
    height: { step: 9 },
    data: { values: bars },
    mark: 'bar',
    encoding: {
      y: { field: 'case', type: 'nominal', sort: null, title: null },
      yOffset: { field: 'contestant', sort: present },
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
        scale: { domain: present, range: present.map((name) => COLOURS[name]) },
        title: null,
      },
    },
  });
  const view = new View(parse(spec), { renderer: 'none' });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}

/** A contestant's name without its version. */
function plain(name) {
  return name.replace(/ \(.*\)/, '').replace(/ v?\d+\.[\w.-]+/, '');
}

function least(bars) {
  return bars.reduce((low, { milliseconds }) => Math.min(low, milliseconds), Number.POSITIVE_INFINITY);
}
