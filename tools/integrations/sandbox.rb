# Vendors of an application in its tests, with Ruby's standard library alone: copy this file into the project.
#
#   Sandbox.run("payments") do |sandbox|
#     Stripe.api_base, Stripe.api_key = sandbox.url, sandbox.key
#     sandbox.call("POST", "/clock/advance", duration: "32d")
#   end
require "json"
require "net/http"
require "open3"
require "shellwords"

# A running vendor: its address, its key, and the control API of its world.
Sandbox = Struct.new(:url, :key) do
  # Serves a pack while the block runs.
  def self.run(pack)
    start = Shellwords.split(ENV.fetch("SANDBOX_COMMAND", "npx --yes @vendor-sandbox/sandbox"))
    Open3.popen2(*start, "serve", pack, "--port", "0", "--json", "--with-stdin") do |input, output, _|
      line = output.gets or raise "no sandbox was started"
      yield new(*JSON.parse(line).values_at("url", "key"))
    ensure
      input.close
    end
  end

  def call(method, path, body = nil)
    address = URI("#{url}/__admin__#{path}")
    headers = { "Authorization" => "Bearer #{key}", "Content-Type" => "application/json" }
    http = Net::HTTP.new(address.host, address.port, nil)
    answer = http.send_request(method, address.request_uri, body&.to_json, headers)
    JSON.parse(answer.body).tap { |read| raise read["error"].to_json unless answer.is_a?(Net::HTTPSuccess) }
  end
end
