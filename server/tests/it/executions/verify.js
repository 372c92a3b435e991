// What a receiver with the published npm package does: an array of requests on standard input, and what is said of each
// on standard output. Run by signatures.rs, in the folder that has the package.
const { readFileSync } = require("node:fs");
const { Webhook } = require("standardwebhooks");

function verdict({ secret, headers, body }) {
  try {
    new Webhook(secret).verify(Buffer.from(body, "base64"), headers);
    return "accepted";
  } catch (error) {
    return error.message;
  }
}

const requests = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(requests.map(verdict)));
