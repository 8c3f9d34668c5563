/** A part module that never answers, though its thread is free. */
export function describe() {
  return new Promise(() => {
    setInterval(() => undefined, 1000);
  });
}

export function* read() {}
