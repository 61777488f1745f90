/**
 * Where a view's data come from: a file, a page of our own server, or a chat.
 *
 * In a file (`--html`), the answer stands in the page, and nobody can be asked. A page of our own server asks
 * `call` beside it. In a chat, the host of an MCP App sends the answer and passes calls on (the protocol of
 * 2026-01-26: JSON-RPC by postMessage). Its SDK is 650 kB of the 900 that a view may have, for six messages.
 */

import { reach } from "./marks";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Fields = { [key: string]: Json };

/** A tool's answer: the structured reply as the server sent it. */
export interface Answer {
  tool: string;
  arguments: Fields;
  reply: Fields;
}

/** An error that a tool answered with, in its words. */
export class Refused extends Error {}

export interface Host {
  /** Whether tools can be called from here. In a chat it is false until the host has answered: look at each answer. */
  readonly canCall: boolean;
  /** Whether the page is a part of a chat, with little room. */
  readonly isInline: boolean;
  /** Calls `show` with each answer that comes unasked, errors (`success: false`) too. A page may have none. */
  onAnswer(show: (answer: Answer) => void): void;
  /** The structured reply of a tool. Throws Refused. */
  call(tool: string, given: Fields): Promise<Fields>;
  /** Tells the model what the user looks at now, if there is one. */
  tell(text: string): void;
}

/** What stands in the page: `answer` in a file; `call` (a path) in a page of our own server. */
interface Given {
  answer?: Answer;
  call?: string;
}

export function connect(): Host {
  const given: Given = JSON.parse(document.getElementById("given")?.textContent || "{}");
  if (given.call !== undefined) return new OwnServer(given.call, given.answer);
  if (given.answer !== undefined || window.parent === window) return new File(given.answer);
  return new Chat(window.parent);
}

class File implements Host {
  readonly canCall = false;
  readonly isInline = false;

  constructor(private readonly answer: Answer | undefined) {}

  onAnswer(show: (answer: Answer) => void): void {
    if (!this.answer) return;
    reach("answered");
    show(this.answer);
  }

  async call(): Promise<Fields> {
    throw new Refused("This is a file: it holds one answer. `bearings explore` can be asked.");
  }

  tell(): void {}
}

class OwnServer implements Host {
  readonly canCall = true;
  readonly isInline = false;

  constructor(
    private readonly path: string,
    private readonly answer: Answer | undefined,
  ) {}

  onAnswer(show: (answer: Answer) => void): void {
    if (this.answer) show(this.answer);
  }

  async call(tool: string, given: Fields): Promise<Fields> {
    const response = await fetch(this.path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ tool, arguments: given }),
    }).catch(() => {
      throw new Refused("The server does not answer. Is `bearings explore` still running?");
    });
    const reply = (await response.json().catch(() => ({}))) as Fields;
    const isError = !response.ok || reply["success"] === false;
    if (isError) throw new Refused(sentence(reply, `The server answered ${response.status}.`));
    reach("answered");
    return reply;
  }

  tell(): void {}
}

interface Message {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: Record<string, any>;
  result?: Record<string, any>;
  error?: { message: string };
}

/** The host of an MCP App. Its messages are taken from the parent window alone. */
class Chat implements Host {
  canCall = false;
  readonly isInline = true;
  private waiting = new Map<number, { resolve: (result: Record<string, any>) => void; reject: (e: Error) => void }>();
  private last = 0;
  private tool = "";
  private given: Fields = {};
  private early: Answer[] = [];
  private show: ((answer: Answer) => void) | undefined;

  constructor(private readonly parent: Window) {
    window.addEventListener("message", (event) => {
      if (event.source === parent && event.data?.jsonrpc === "2.0") this.take(event.data as Message);
    });
    this.begin().catch(() => {});
  }

  onAnswer(show: (answer: Answer) => void): void {
    this.show = show;
    for (const answer of this.early.splice(0)) show(answer);
  }

  async call(tool: string, given: Fields): Promise<Fields> {
    const result = await this.request("tools/call", { name: tool, arguments: given });
    const reply = replyOf(result);
    if (result["isError"]) throw new Refused(sentence(reply));
    return reply;
  }

  tell(text: string): void {
    this.request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
  }

  private async begin(): Promise<void> {
    const { hostContext = {}, hostCapabilities = {} } = await this.request("ui/initialize", {
      appInfo: { name: "bearings", version: "1" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      protocolVersion: "2026-01-26",
    });
    this.canCall = "serverTools" in hostCapabilities;
    this.follow(hostContext);
    this.send({ method: "ui/notifications/initialized", params: {} });
    const told = () => this.size();
    new ResizeObserver(told).observe(document.documentElement);
    told();
  }

  private follow(context: Record<string, any>): void {
    this.tool = context["toolInfo"]?.tool?.name ?? this.tool;
    themed(context["theme"]);
    if (context["displayMode"]) {
      document.documentElement.classList.toggle("inline", context["displayMode"] === "inline");
    }
  }

  private size(): void {
    // The height of the content. scrollHeight is never less than the frame's, which then could not shrink.
    const { width, height } = document.documentElement.getBoundingClientRect();
    const params = { width: Math.ceil(width), height: Math.ceil(height) };
    this.send({ method: "ui/notifications/size-changed", params });
  }

  private take(message: Message): void {
    const { id, method, params = {} } = message;
    if (method === undefined) {
      const waiting = this.waiting.get(Number(id));
      this.waiting.delete(Number(id));
      if (message.error) waiting?.reject(new Refused(message.error.message));
      else waiting?.resolve(message.result ?? {});
    } else if (method === "ui/notifications/tool-input") {
      this.given = params["arguments"] ?? {};
    } else if (method === "ui/notifications/tool-result") {
      const answer = { tool: this.tool, arguments: this.given, reply: replyOf(params) };
      reach("answered");
      if (this.show) this.show(answer);
      else this.early.push(answer);
    } else if (method === "ui/notifications/host-context-changed") {
      this.follow(params);
    } else if (id !== undefined) {
      const known = method === "ping" || method === "ui/resource-teardown";
      if (known) this.send({ id, result: {} });
      else this.send({ id, error: { code: -32601, message: `Unknown method: ${method}` } as { message: string } });
    }
  }

  private request(method: string, params: Record<string, unknown>): Promise<Record<string, any>> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  private send(message: Omit<Message, "jsonrpc">): void {
    // The host's origin is unknown to a sandboxed frame; what is sent came from that host.
    this.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }
}

/** The reply in a tool's result; of an error without one, its text. */
function replyOf(result: Record<string, any>): Fields {
  if (result["structuredContent"]) return result["structuredContent"];
  const text = result["content"]?.find?.((part: Record<string, unknown>) => part["type"] === "text")?.text;
  const why = result["isError"] ? "The tool gave an error." : "The reply has no structured content to draw.";
  return { success: false, error: result["isError"] && typeof text === "string" ? text : why };
}

/** The words of an error: what is wrong, and the remedy. */
function sentence(reply: Fields, otherwise = "The tool gave an error."): string {
  const { error, hint } = reply;
  if (typeof error !== "string") return otherwise;
  return typeof hint === "string" ? `${error.replace(/[.\s]*$/, "")}. ${hint}` : error;
}

/** Follows the host's theme; without one the browser's setting holds. */
function themed(theme: unknown): void {
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
}
