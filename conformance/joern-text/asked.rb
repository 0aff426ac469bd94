# A program that does nothing useful, so that queries about Ruby have rows in its graph.
# TODOs: a query looks for comments with such words.

module Asked
  SECRET = "password123"

  class Base
    attr_reader :name

    def initialize(name, size = 3)
      @name = name
      @size = size
    end

    def handle(request)
      raise NotImplementedError
    end
  end

  class Runner < Base
    def handle(request)
      return nil if request.nil? || request.empty?

      system("ls " + request)
      request
    end

    def self.twice(value)
      value * 2
    end
  end
end

def factorial(n)
  n < 2 ? 1 : n * factorial(n - 1)
end

def is_even(n)
  n == 0 || is_odd(n - 1)
end

def is_odd(n)
  n != 0 && is_even(n - 1)
end

def total(values)
  found = 0
  values.each do |value|
    if value < 0
      next
    else
      found += Asked::Runner.twice(value)
    end
  end
  while found > 100
    found -= 1
  end
  found
end

def source
  ENV["HOME"]
end

def sink(text)
  eval(text)
end

def many(a, b, c, d, e, f)
  case a
  when 1 then b
  when 2 then c
  else d + e + f
  end
end

def main(argv)
  runner = Asked::Runner.new("run")
  runner.handle(argv[0])
  sink(source)
  names = { a: 1, b: total([1, 2, 3]) }
  puts "see https://example.org/ #{names[:a]}", factorial(5), is_even(4)
  many(1, 2, 3, 4, 5, 6)
  begin
    File.open("/tmp/x")
  rescue StandardError => error
    puts error.message
  end
end

main(ARGV)
