// A server of one local model for tools/llm-demo: the part of OpenAI's chat completions that assay asks for, over node-llama-cpp,
// which brings llama.cpp as binaries. One request at a time; a JSON schema that is asked for becomes a grammar, which the answer keeps to.
//
//     node tools/llm-server.mjs MODEL.gguf PORT      (in a folder where node-llama-cpp is installed)
import http from "node:http";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";

const [path, port] = process.argv.slice(2);
const here = createRequire(pathToFileURL(process.cwd() + "/"));
const {getLlama, LlamaChatSession} = await import(pathToFileURL(here.resolve("node-llama-cpp")).href);

const llama = await getLlama({gpu: false, build: "never", progressLogs: false});
const model = await llama.loadModel({modelPath: path});
// Its threads wait for each other by spinning: one core is left to the rest of the machine.
const context = await model.createContext({contextSize: 8192, threads: Math.max(1, llama.cpuMathCores - 1)});
const sequence = context.getSequence();

async function answer(asked) {
    const text = role => asked.messages.filter(m => m.role === role).map(m => m.content).join("\n");
    await sequence.clearHistory();
    const session = new LlamaChatSession({contextSequence: sequence, systemPrompt: text("system") || undefined});
    try {
        const prompt = text("user"), schema = asked.response_format?.json_schema?.schema;
        const {responseText, stopReason} = await session.promptWithMeta(prompt, {
            maxTokens: asked.max_tokens ?? asked.max_completion_tokens ?? 512,
            temperature: asked.temperature ?? 0,
            seed: asked.seed,
            grammar: schema && await llama.createGrammarForJsonSchema(schema),
        });
        const n_in = model.tokenize(prompt).length, n_out = model.tokenize(responseText).length;
        return {
            object: "chat.completion",
            model: asked.model,
            choices: [{
                index: 0,
                message: {role: "assistant", content: responseText},
                finish_reason: stopReason === "maxTokens" ? "length" : "stop",
            }],
            usage: {prompt_tokens: n_in, completion_tokens: n_out, total_tokens: n_in + n_out},
        };
    } finally {
        session.dispose({disposeSequence: false});
    }
}

let last = Promise.resolve();
http.createServer((request, response) => {
    const say = (status, body) => {
        response.writeHead(status, {"content-type": "application/json"});
        response.end(JSON.stringify(body));
    };
    if (request.method !== "POST")
        return say(200, {status: "ok"});
    let body = "";
    request.on("data", part => body += part);
    request.on("end", () => {
        last = last.then(async () => say(200, await answer(JSON.parse(body))))
            .catch(e => say(500, {error: {message: String(e)}}));
    });
}).listen(Number(port), "127.0.0.1");
