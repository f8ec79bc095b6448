/** Background work, played by the runner. */

export const taskMethods = {
  'tasks.start'(bench, params) {
    return { id: bench.producers.start(bench.host, params) };
  },

  'tasks.emit': (bench, params) => bench.producers.emit(params),
  'tasks.settle': (bench, params) => bench.producers.settle(params),

  'tasks.cancellations'(bench, params) {
    return { reasons: bench.producers.cancellations(params) };
  },
};
