// Runs before the author's code, and keeps the functions it needs: afterwards `JSON.stringify`, `Promise` or
// `Object.prototype` may be anything. Nothing here may look something up on a prototype that the author can change.
// All of it runs in the author's own process: who breaks it breaks their own call.
(native) => {
  'use strict';
  const { apply, ownKeys } = Reflect;
  const { parse, stringify } = JSON;
  const { create, defineProperty, freeze, hasOwn } = Object;
  const { isArray } = Array;
  const { slice, toWellFormed, toLowerCase } = String.prototype;
  const [TextOf, Failure, BadType, Later] = [String, Error, TypeError, Promise];
  const later = Promise.prototype.then;
  let limits;

  const cut = (text, length) => {
    const short = text.length > length ? apply(slice, text, [0, length]) : text;
    return apply(toWellFormed, short, []);
  };

  // Every child is a copy of one process: a generator that was seeded before would give all of them the same numbers.
  defineProperty(Math, 'random', {
    __proto__: null, value: { random() { return native.random(); } }.random, configurable: true, writable: true,
  });

  const show = (value) => {
    if (typeof value === 'string') return value;
    try {
      if (value instanceof Failure) return described(value).message;
      const text = typeof value === 'object' && value !== null ? stringify(value) : undefined;
      return typeof text === 'string' ? text : TextOf(value);
    } catch {
      return '[cannot be shown]';
    }
  };

  const log = (...values) => {
    const room = native.logRoom();
    if (room < 0) return;
    let line = '';
    for (let i = 0; i < values.length && line.length <= room; i++) {
      line += (i === 0 ? '' : ' ') + show(values[i]);
    }
    native.log(cut(line, room));
  };

  // What was thrown may be anything, and reading it may throw again.
  const described = (thrown) => {
    let message;
    let stack;
    try {
      if (typeof thrown === 'object' && thrown !== null) {
        const text = thrown.message;
        const name = thrown.name;
        if (typeof text === 'string') {
          message = typeof name === 'string' && name !== '' ? (text === '' ? name : name + ': ' + text) : text;
        }
        if (typeof thrown.stack === 'string') stack = cut(thrown.stack, 8192);
      }
      if (message === undefined) message = show(thrown);
    } catch {
      if (message === undefined) message = '[cannot be shown]';
    }
    return { __proto__: null, message, stack };
  };

  const failed = (kind, thrown, before) => {
    const { message, stack } = described(thrown);
    const memory = message === 'InternalError: out of memory';
    const text = before === undefined ? message : before + message;
    native.failed(memory ? 'memory' : kind, cut(text, limits.message), stack);
  };

  // An assignment would ask the prototypes first.
  const own = (object, name, value) => {
    defineProperty(object, name, { __proto__: null, value, enumerable: true, configurable: true, writable: true });
  };

  const waiting = create(null);

  const addHeaders = (headers) => {
    if (headers === undefined || headers === null) return;
    if (typeof headers !== 'object') throw new BadType('ctx.fetch: headers must be an object');
    if (isArray(headers)) {
      for (let i = 0; i < headers.length; i++) native.header(wellFormed(headers[i][0]), wellFormed(headers[i][1]));
      return;
    }
    const names = ownKeys(headers);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      if (typeof name === 'string') native.header(apply(toWellFormed, name, []), wellFormed(headers[name]));
    }
  };
  const wellFormed = (value) => apply(toWellFormed, TextOf(value), []);

  const fetch = (url, init) => new Later((resolve, reject) => {
    // Made here, for the line of the call.
    const trouble = new Failure();
    const options = init === undefined || init === null ? create(null) : init;
    const address = wellFormed(url);
    const method = options.method === undefined ? 'GET' : wellFormed(options.method);
    const given = options.body;
    const hasBody = given !== undefined && given !== null;
    if (hasBody && typeof given !== 'string') throw new BadType('ctx.fetch: the body must be a string');
    native.newRequest();
    addHeaders(options.headers);
    const id = native.fetch(address, method, hasBody ? wellFormed(given) : undefined);
    waiting[id] = (refused, response) => {
      if (response !== undefined) return resolve(response);
      defineProperty(trouble, 'message', { __proto__: null, value: refused, configurable: true, writable: true });
      return reject(trouble);
    };
  });

  const responseOf = (status, headersText, body) => {
    const values = parse(headersText);
    const valueOf = (name) => {
      const key = apply(toLowerCase, TextOf(name), []);
      return hasOwn(values, key) ? values[key] : null;
    };
    const headers = freeze({ __proto__: null, get: valueOf, has: (name) => valueOf(name) !== null });
    return freeze({
      __proto__: null, status, ok: status >= 200 && status < 300, headers,
      text: async () => body, json: async () => parse(body),
    });
  };

  const answered = (id, refused, status, headersText, body) => {
    const settle = waiting[id];
    delete waiting[id];
    if (settle === undefined) return;
    settle(refused, refused === undefined ? responseOf(status, headersText, body) : undefined);
  };

  const finish = (value) => {
    if (typeof value === 'function' || typeof value === 'symbol') {
      return native.failed('bad_result', 'the result is a ' + typeof value + ', which JSON does not have', undefined);
    }
    let text;
    try {
      text = stringify(value);
    } catch (thrown) {
      return failed('bad_result', thrown, 'the result cannot be written as JSON: ');
    }
    if (text === undefined) text = 'null';
    if (text.length > limits.output) {
      return native.failed('output', 'the result is larger than ' + limits.output + ' bytes', undefined);
    }
    return native.done(text);
  };

  const begin = (message, output) => {
    limits = { __proto__: null, message, output };
  };

  const run = async (tool, paramsText, contextText, secretsText) => {
    let value;
    try {
      const ctx = parse(contextText);
      own(ctx, 'log', log);
      own(ctx, 'fetch', fetch);
      own(ctx, 'secrets', freeze(parse(secretsText)));
      value = await apply(tool, undefined, [parse(paramsText), freeze(ctx)]);
    } catch (thrown) {
      return failed('thrown', thrown);
    }
    return finish(value);
  };

  return { __proto__: null, answered, begin, failed, run };
}
