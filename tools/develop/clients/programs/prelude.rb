# Connections to the vendor go to the sandbox, in whatever way a program opens them; nothing of the program is changed.
require 'net/http'
require 'uri'

SANDBOX = URI(ENV.fetch('SANDBOX_URL'))

module ToSandbox
  def initialize(address, port = nil)
    @is_sandbox = address.to_s.end_with?('.stripe.com')
    @is_sandbox ? super(SANDBOX.host, SANDBOX.port) : super
  end

  def use_ssl=(flag)
    super(@is_sandbox ? false : flag)
  end
end

Net::HTTP.prepend(ToSandbox)
