import { drawn } from './drawn.mjs';

/** As in the drawing of the four phases. Okabe and Ito's, told apart by the colour-blind. */
const COLOURS = {
  open: '#999999',
  fold: '#0072B2',
  split: '#E69F00',
  order: '#009E73',
  'order: build': '#56B4E9',
  assemble: '#D55E00',
};

/** Bars `{ lane, label, start, end }` in milliseconds from the start of a run, as an SVG: a lane above the other. */
export function timelineChart(bars, [title, subtitle], milliseconds) {
  const present = Object.keys(COLOURS).filter((name) => bars.some(({ label }) => label === name));
  const lanes = [...new Set(bars.map(({ lane }) => lane))].sort();
  return drawn({
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: { text: title, subtitle, anchor: 'start' },
    background: 'white',
    width: 640,
    height: { step: 24 },
    data: { values: bars },
    mark: { type: 'bar', stroke: 'white', strokeWidth: 0.5 },
    encoding: {
      y: { field: 'lane', type: 'nominal', sort: lanes, title: null },
      x: {
        field: 'start',
        type: 'quantitative',
        scale: { domain: [0, milliseconds], nice: false },
        title: 'milliseconds',
      },
      x2: { field: 'end' },
      color: {
        field: 'label',
        scale: { domain: present, range: present.map((name) => COLOURS[name]) },
        title: null,
      },
    },
  });
}
