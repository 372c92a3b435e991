// file → its bytes, or the promise of them
const brought = new Map();
// The files of a group. One that could not be had is asked for again the next time.
function bring(group) {
    for (const file of [shared, groups[group]]) {
        if (brought.has(file)) continue;
        const bytes = download(file);
        bytes.catch(() => brought.delete(file));
        brought.set(file, bytes);
    }
}
async function download(file) {
    const answer = await fetch(new URL("./" + file, import.meta.url));
    if (!answer.ok) throw new Error(file + ": " + answer.status);
    return answer.arrayBuffer();
}
// A piece may be in several files: from whichever came first.
async function piece(name) {
    for (const [file, bytes] of brought) {
        const before = contents[file].indexOf(name);
        if (before < 0) continue;
        const start = contents[file].slice(0, before).reduce((sum, other) => sum + lengths[other], 0);
        return new Uint8Array(await bytes, start, lengths[name]);
    }
    throw new Error("no file has " + name);
}
