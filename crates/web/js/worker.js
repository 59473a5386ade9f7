// The worker that holds all models of a page: answers calls of its tags, one after the other for each tag.

import { takeCompiled } from './engines.js';
import { Session } from './session.js';

const sessions = new Map();
const turns = new Map();

function sessionOf(id) {
  if (!sessions.has(id)) {
    sessions.set(id, new Session((event, detail) => postMessage({ id, event, detail })));
  }
  return sessions.get(id);
}

async function answer({ id, call, method, args }) {
  try {
    const value = await sessionOf(id)[method](...args);
    if (method === 'close') {
      sessions.delete(id);
      turns.delete(id);
    }
    postMessage({ id, call, value }, value?.bitmap ? [value.bitmap] : []);
  } catch (error) {
    postMessage({ id, call, error: { name: error.name, message: error.message } });
  }
}

// A load may be overtaken by the next load or by the end of the tag; all else keeps its order.
addEventListener('message', ({ data }) => {
  if (data.compiled) return takeCompiled(data.compiled, data.module, data.error);
  const before = data.method === 'load' || data.method === 'close' ? Promise.resolve() : (turns.get(data.id) ?? Promise.resolve());
  const turn = before.then(() => answer(data));
  turns.set(data.id, turn);
});
