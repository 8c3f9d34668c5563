import { parse, View } from 'vega';
import { compile } from 'vega-lite';

/** A drawing of Vega-Lite as the text of an SVG. */
export async function drawn(specification) {
  const view = new View(parse(compile(specification).spec), { renderer: 'none' });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}
